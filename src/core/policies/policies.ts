import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ListPoliciesRequest,
  type ListPoliciesResponseSchema,
  PolicyService,
  type PutPolicyRequest,
  type PutPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { type HandlerContext, permitted } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { FormerPolicy } from "../../store/policy-store.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { Dependencies, PolicyBounds } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { checkOwner, checkRevision, createDeletePolicy, noSuchPolicy } from "./delete-policy.ts";
import { createExplainPolicy } from "./explain-policy.ts";
import { keepPasswords } from "./kept-passwords.ts";
import { createMakeDefaultPolicy } from "./make-default-policy.ts";
import { createHoldPolicyQueue, createReleasePolicyQueue } from "./policy-holds.ts";
import { createGetPolicyQueue } from "./policy-queue.ts";
import { toPolicy } from "./policy-to-proto.ts";
import {
  createComparePolicyVersions,
  createGetPolicyVersion,
  createListPolicyVersions,
} from "./policy-versions.ts";
import { readPolicy } from "./read-policy.ts";
import { createRestorePolicy } from "./restore-policy.ts";

type Needs = Pick<
  Dependencies,
  "store" | "settings" | "clock" | "policyBounds" | "deliveryFacts" | "lookUpRoute"
>;

/** Routing policies of accounts. */
export const policies: Area<Needs> = defineArea(PolicyService, {
  putPolicy: [
    permitted("policies.write"),
    changes("policy.put"),
    ({ store, settings, clock, policyBounds: bounds }) => createPutPolicy({ store, settings, clock, bounds }),
  ],
  /** Returns a policy by its name, without passwords. */
  getPolicy: [
    permitted("policies.read"),
    READS,
    ({ store }) =>
      async (request, context) => {
        const account = await resolveAccount(store, request, context);
        const policy = await account.policies.find(request.name);
        if (!policy) throw noSuchPolicy(request.name);
        return { policy: toPolicy(policy), updatedAt: timestampFromDate(policy.updatedAt) };
      },
  ],
  listPolicies: [permitted("policies.read"), READS, createListPolicies],
  makeDefaultPolicy: [
    permitted("policies.write"),
    changes("policy.make_default", "name"),
    createMakeDefaultPolicy,
  ],
  deletePolicy: [
    permitted("policies.write"),
    changes("policy.delete", "name"),
    ({ store, settings, clock, policyBounds: bounds }) =>
      createDeletePolicy({ store, settings, clock, bounds }),
  ],
  listPolicyVersions: [permitted("policies.read"), READS, createListPolicyVersions],
  getPolicyVersion: [permitted("policies.read"), READS, createGetPolicyVersion],
  comparePolicyVersions: [permitted("policies.read"), READS, createComparePolicyVersions],
  restorePolicy: [
    permitted("policies.write"),
    changes("policy.restore", "name"),
    ({ store, settings, clock, policyBounds: bounds }) =>
      createRestorePolicy({ store, settings, clock, bounds }),
  ],
  getPolicyQueue: [permitted("policies.read"), READS, createGetPolicyQueue],
  holdPolicyQueue: [permitted("policies.write"), changes("policy.hold", "name"), createHoldPolicyQueue],
  releasePolicyQueue: [
    permitted("policies.write"),
    changes("policy.release", "name"),
    createReleasePolicyQueue,
  ],
  explainPolicy: [
    permitted("policies.read"),
    READS,
    ({ store, clock, policyBounds: bounds, deliveryFacts, lookUpRoute }) =>
      createExplainPolicy({ store, clock, bounds, deliveryFacts, lookUpRoute }),
  ],
});

export interface PutPolicyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly settings: AccountSettings;
  readonly clock: Clock;
  readonly bounds: PolicyBounds;
}

/**
 * Stores a complete policy with the passwords that it keeps, or nothing. The permitted servers depend on the caller.
 */
export function createPutPolicy({ store, settings, clock, bounds }: PutPolicyOptions) {
  return async (
    request: PutPolicyRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof PutPolicyResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const now = clock.now();
    const name = request.policy?.name ?? "";
    const make = (former: FormerPolicy | undefined) => {
      if (former) checkOwner(former, actor);
      checkBasis(name, request.basedOn, former);
      const given = request.policy && keepPasswords(request.policy, () => former?.open());
      const content = readPolicy(given, bounds, actor);
      // Without a default, an account could not send messages that name no policy. System mail never names one.
      const isDefault = content.default || former?.default === true || account.id === SYSTEM_ACCOUNT;
      return { ...content, default: isDefault, updatedAt: now, revision: newId("rev", now) };
    };
    const document = await account.policies.replace(name, make, audit);
    settings.forget();
    return { policy: toPolicy(document), updatedAt: timestampFromDate(now) };
  };
}

/** @throws Fault policy.exists, policy.not_found, policy.stale */
function checkBasis(
  name: string,
  basis: PutPolicyRequest["basedOn"],
  former: FormerPolicy | undefined,
): void {
  if (basis.case === "nothing" && basis.value && former) throw fault("policy.exists");
  if (basis.case !== "revision") return;
  if (!former) throw noSuchPolicy(name);
  checkRevision(basis.value, former);
}

/** Lists policies of one account by name. */
export function createListPolicies({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListPoliciesRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListPoliciesResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ policies }, page) => policies.list(page),
      cursorOf: ({ name }) => name,
      context,
    });
    return { policies: entries.map(toPolicy), nextPageToken };
  };
}
