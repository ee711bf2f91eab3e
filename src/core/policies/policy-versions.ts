import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import {
  type ComparePolicyVersionsRequest,
  type ComparePolicyVersionsResponseSchema,
  type GetPolicyVersionRequest,
  type GetPolicyVersionResponseSchema,
  type ListPolicyVersionsRequest,
  type ListPolicyVersionsResponseSchema,
  PolicySchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { PolicyVersion } from "../../store/policy-version-store.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  compareVersions,
  findVersion,
  listVersions,
  messageFields,
  toSettingVersion,
} from "../setting-versions.ts";
import { noSuchPolicy } from "./delete-policy.ts";
import { toPolicy } from "./policy-to-proto.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}
type Context = Pick<HandlerContext, "actor">;
type Asked = Pick<GetPolicyVersionRequest, "accountId" | "name">;

const SECRETS: ReadonlySet<string> = new Set(["password"]);

async function findPolicy(
  store: Needs["store"],
  request: Asked,
  context: Context,
): Promise<{ readonly account: AccountStore; readonly policy: PolicyDocument }> {
  const account = await resolveAccount(store, request, context);
  const policy = await account.policies.find(request.name);
  if (!policy) throw noSuchPolicy(request.name);
  return { account, policy };
}

/** @throws Fault account.unknown, policy.not_found, request.validation_failed */
export function createListPolicyVersions({ store }: Needs) {
  return async (
    request: ListPolicyVersionsRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof ListPolicyVersionsResponseSchema>> => {
    const { account, policy } = await findPolicy(store, request, context);
    return listVersions(account.policyVersions, policy, request);
  };
}

/** @throws Fault account.unknown, policy.not_found, policy.version_not_found */
export function createGetPolicyVersion({ store }: Needs) {
  return async (
    request: GetPolicyVersionRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof GetPolicyVersionResponseSchema>> => {
    const { account, policy } = await findPolicy(store, request, context);
    const found = await findPolicyVersion(account, policy, request.version);
    return { version: toSettingVersion(found), policy: { ...toPolicy(found.shown), default: false } };
  };
}

/**
 * Compares two versions. A changed password is reported without its values.
 * @throws Fault account.unknown, policy.not_found, policy.version_not_found
 */
export function createComparePolicyVersions({ store }: Needs) {
  return async (
    request: ComparePolicyVersionsRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof ComparePolicyVersionsResponseSchema>> => {
    const { account, policy } = await findPolicy(store, request, context);
    return compareVersions(request, {
      find: (version) => findPolicyVersion(account, policy, version),
      fieldsOf: comparable,
      secrets: SECRETS,
    });
  };
}

/** @throws Fault policy.version_not_found */
export function findPolicyVersion(
  { policyVersions }: Pick<AccountStore, "policyVersions">,
  policy: PolicyDocument,
  version: string,
): Promise<PolicyVersion> {
  return findVersion(policyVersions, policy, version, () => versionUnknown(policy.name, version));
}

function versionUnknown(name: string, version: string): Fault {
  return fault("policy.version_not_found", { public: say("no_policy_version", { name, version }) });
}

/** The fields of a version by their names in answers, with passwords. */
function comparable(version: PolicyVersion): JsonObject {
  const document = openIfPossible(version);
  const shown = messageFields(PolicySchema, toPolicy(document));
  const { name: _, default: _d, revision: _r, updated_at: _u, ...content } = shown;
  return {
    ...content,
    transports: withPasswords(content.transports as JsonObject[], document.transports),
    rules: (content.rules as JsonObject[]).map((rule, index) => ({
      ...rule,
      transports: withPasswords(rule.transports as JsonObject[], document.rules?.[index]?.transports ?? []),
    })),
  };
}

/** A password that cannot be decrypted counts as changed. */
function openIfPossible({ open, shown }: PolicyVersion): PolicyDocument {
  try {
    return open();
  } catch {
    return shown;
  }
}

function withPasswords(shown: readonly JsonObject[], transports: PolicyDocument["transports"]): JsonObject[] {
  return shown.map((one, index) => {
    const transport = transports[index];
    if (transport?.kind !== "smtp" || transport.password === undefined) return one;
    return { ...one, smtp: { ...(one.smtp as JsonObject), password: transport.password } };
  });
}
