import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateKeyRequest,
  CreateKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newPassword, newSecret, type SecretKind, secretPrefix } from "../../shared/secrets.ts";
import type { KeyKind } from "../../store/documents.ts";
import type { WorkspaceDocument } from "../../store/intel-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { requireKeyGrant } from "../access/grants.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toKey } from "../to-proto.ts";
import { member, readAccess } from "./read-access.ts";

/** Prefix of a secret, by kind of key. */
const secretKinds: Record<KeyKind, SecretKind> = { account: "live", deliverability: "dlv", smtp: "smtp" };
const MAX_NAME_LENGTH = 100;

interface CreateKeyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

/** Creates a key. Only the answer contains its secret, and the password of a sending key. */
export function createCreateKey({ store, clock }: CreateKeyOptions) {
  return async (
    request: CreateKeyRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof CreateKeyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const kind = member(Object.keys(secretKinds) as KeyKind[], request.kind || "account", "/kind", faults);
    const now = clock.now();
    const access = readAccess(request, { kind: kind ?? "account", now, faults });
    const named = await findWorkspace(account, kind, request.workspaceId, faults);
    checkName(request.name, faults);
    if (kind === undefined || access === undefined || faults.found.length > 0)
      throw validationFault(faults.found);
    requireKeyGrant(principal, access);
    const { fields, shown } = freshSecret(kind);
    const workspace =
      kind === "deliverability" ? (named ?? (await account.workspaces.first(audit))) : undefined;
    const fresh = {
      _id: newId("key", now),
      name: request.name,
      kind,
      ...fields,
      ...access,
      createdAt: now,
      ...(workspace && { workspaceId: workspace._id }),
    };
    return { key: toKey(await account.keys.insert(fresh, audit), now), ...shown };
  };
}

/** Stored and returned form of a new secret; it is returned once. */
export function freshSecret(kind: KeyKind) {
  const secret = newSecret(secretKinds[kind]);
  const password = kind === "smtp" ? newPassword() : undefined;
  return {
    fields: {
      prefix: secretPrefix(secret),
      hash: hashSecret(secret),
      ...(password !== undefined && { passwordHash: hashSecret(password) }),
    },
    shown: { secret, ...(password !== undefined && { password }) },
  };
}

export function checkName(name: string, faults: FieldFaults): void {
  if (name.length <= MAX_NAME_LENGTH) return;
  faults.add("/name", "field.too_long", say("name_up_to_characters", { max: MAX_NAME_LENGTH }));
}

/** Workspace of a new deliverability key; null: the request contains none. */
async function findWorkspace(
  { workspaces }: AccountStore,
  kind: KeyKind | undefined,
  id: string,
  faults: FieldFaults,
): Promise<WorkspaceDocument | null> {
  if (id === "" || kind === undefined) return null;
  if (kind !== "deliverability") {
    faults.add("/workspace_id", "field.conflict", say("only_deliverability_key_belongs_workspace"));
    return null;
  }
  const found = await workspaces.find(id);
  if (!found) faults.add("/workspace_id", "field.invalid", say("account_no_workspace", { id }));
  return found;
}
