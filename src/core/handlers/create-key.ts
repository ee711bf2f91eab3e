import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateKeyRequest,
  CreateKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { parseSender } from "../../message/sender.ts";
import { isAddressRange } from "../../shared/address-range.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newPassword, newSecret, type SecretKind, secretPrefix } from "../../shared/secrets.ts";
import type { KeyKind, ScopeMode } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { isScope, knownScopes } from "../access/scopes.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";
import { toKey } from "../to-proto.ts";

const secretKinds: Record<KeyKind, SecretKind> = { account: "live", deliverability: "dlv", smtp: "smtp" };
const scopeModes: readonly ScopeMode[] = ["full", "send_only", "alerts_only", "restricted"];
const MAX_NAME_LENGTH = 100;

export interface CreateKeyOptions {
  readonly store: Pick<Store, "accounts" | "keys">;
  readonly clock: Clock;
}

/** Makes a key. Its secret, and the password of a sending key, are in the answer and nowhere else. */
export function createCreateKey({ store, clock }: CreateKeyOptions) {
  return async (request: CreateKeyRequest): Promise<MessageInitShape<typeof CreateKeyResponseSchema>> => {
    const account = await store.accounts.resolve(request.accountId);
    const faults = createFieldFaults();
    const kind = member(Object.keys(secretKinds) as KeyKind[], request.kind || "account", "/kind", faults);
    const scopeMode = member(scopeModes, request.scopeMode || "full", "/scope_mode", faults);
    checkScopes(request, faults);
    const senders = request.senders.map((sender, index) => readSender(sender, index, faults));
    for (const [index, range] of request.allowedAddresses.entries()) {
      if (isAddressRange(range)) continue;
      faults.add(
        pointer("allowed_addresses", index),
        "field.invalid",
        `"${range}" is no IP address or CIDR range.`,
      );
    }
    if (request.name.length > MAX_NAME_LENGTH) {
      faults.add("/name", "field.too_long", `A name has up to ${MAX_NAME_LENGTH} characters.`);
    }
    if (kind === undefined || scopeMode === undefined || faults.found.length > 0)
      throw validationFault(faults.found);
    const now = clock.now();
    const secret = newSecret(secretKinds[kind]);
    const password = kind === "smtp" ? newPassword() : undefined;
    const key = {
      _id: newId("key", now),
      accountId: account._id,
      name: request.name,
      kind,
      prefix: secretPrefix(secret),
      hash: hashSecret(secret),
      ...(password !== undefined && { passwordHash: hashSecret(password) }),
      scopeMode,
      scopes: request.scopes,
      senders,
      allowedAddresses: request.allowedAddresses,
      createdAt: now,
    };
    await store.keys.insert(key);
    return { key: toKey(key), secret, ...(password !== undefined && { password }) };
  };
}

function member<T extends string>(
  all: readonly T[],
  given: string,
  at: string,
  faults: FieldFaults,
): T | undefined {
  const found = all.find((one) => one === given);
  if (found === undefined) faults.add(at, "field.invalid", `"${given}" is none of ${all.join(", ")}.`);
  return found;
}

function checkScopes({ scopes, scopeMode }: CreateKeyRequest, faults: FieldFaults): void {
  if (scopeMode === "restricted" && scopes.length === 0) {
    faults.add("/scopes", "field.required", "A restricted key needs at least one scope.");
  }
  if (scopeMode !== "restricted" && scopes.length > 0) {
    faults.add("/scopes", "field.conflict", "Only a restricted key has a list of scopes.");
  }
  for (const [index, scope] of scopes.entries()) {
    if (isScope(scope)) continue;
    faults.add(pointer("scopes", index), "field.invalid", `"${scope}" is none of ${knownScopes.join(", ")}.`);
  }
}

/** A sender of the key's list, in the form in which senders are compared. */
function readSender(input: string, index: number, faults: FieldFaults): string {
  const result = parseSender(input);
  if (result.ok) return result.sender.value;
  faults.add(pointer("senders", index), result.code, result.message);
  return "";
}
