import type { MessageInitShape } from "@bufbuild/protobuf";
import { keyScopes } from "../../contracts/common/permissions.ts";
import {
  type CheckKeyRequest,
  type CheckKeyResponseSchema,
  type CreateKeyRequest,
  type CreateKeyResponseSchema,
  KeyService,
  type ListKeysRequest,
  type ListKeysResponseSchema,
  type RevokeKeyRequest,
  type RevokeKeyResponseSchema,
} from "../../gen/hermod/access/v1/key_service_pb.ts";
import { parseSender } from "../message/address/senders.ts";
import { defineArea } from "../rpc/area.ts";
import { FRONT_ENDS, type HandlerContext, OPERATOR_ONLY } from "../rpc/callers.ts";
import { isAddressRange } from "../shared/address-range.ts";
import type { Clock } from "../shared/clock.ts";
import { type FieldFault, fault, validationFault } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import { hashSecret, newPassword, newSecret, type SecretKind, secretPrefix } from "../shared/secrets.ts";
import type { KeyKind, ScopeMode } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import type { KeyAuthenticator } from "./access/authenticate-key.ts";
import { isScope } from "./access/scopes.ts";
import type { Dependencies } from "./dependencies.ts";
import { createFieldFaults, type FieldFaults, pointer } from "./field-faults.ts";
import { pageOfAccount } from "./page.ts";
import { resolveAccount } from "./resolve-account.ts";
import { toKey } from "./to-proto.ts";

/** Keys of accounts: made, listed, revoked, and judged for the front ends. */
export const keys = defineArea({
  service: KeyService,
  callers: {
    checkKey: FRONT_ENDS,
    createKey: OPERATOR_ONLY,
    listKeys: OPERATOR_ONLY,
    revokeKey: OPERATOR_ONLY,
  },
  handlers: ({ store, authenticator, clock }: Pick<Dependencies, "store" | "authenticator" | "clock">) => ({
    createKey: createCreateKey({ store, clock }),
    listKeys: createListKeys({ store }),
    revokeKey: createRevokeKey({ store, authenticator, clock }),
    checkKey: createCheckKey({ authenticator }),
  }),
});

const secretKinds: Record<KeyKind, SecretKind> = { account: "live", deliverability: "dlv", smtp: "smtp" };
const scopeModes: readonly ScopeMode[] = ["full", "send_only", "alerts_only", "restricted"];
const MAX_NAME_LENGTH = 100;

export interface CreateKeyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

/** Makes a key. Its secret, and the password of a sending key, are in the answer and nowhere else. */
function createCreateKey({ store, clock }: CreateKeyOptions) {
  return async (request: CreateKeyRequest): Promise<MessageInitShape<typeof CreateKeyResponseSchema>> => {
    const account = await resolveAccount(store, request);
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
    const key = await account.keys.insert({
      _id: newId("key", now),
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
    });
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
    faults.add(pointer("scopes", index), "field.invalid", `"${scope}" is none of ${keyScopes.join(", ")}.`);
  }
}

/** A sender of the key's list, in the form in which senders are compared. */
function readSender(input: string, index: number, faults: FieldFaults): string {
  const result = parseSender(input);
  if (result.ok) return result.sender.value;
  faults.add(pointer("senders", index), result.code, result.message);
  return "";
}

/** Keys of one account, oldest first. */
export function createListKeys({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: ListKeysRequest): Promise<MessageInitShape<typeof ListKeysResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ keys }, page) => keys.list(page),
      placeOf: ({ _id }) => _id,
    });
    return { keys: entries.map(toKey), nextPageToken };
  };
}

export interface RevokeKeyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly authenticator: KeyAuthenticator;
  readonly clock: Clock;
}

/** Revokes a key for good; one that is revoked already stays so. */
function createRevokeKey({ store, authenticator, clock }: RevokeKeyOptions) {
  return async (request: RevokeKeyRequest): Promise<MessageInitShape<typeof RevokeKeyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const key = await account.keys.revoke(request.key, clock.now());
    if (!key)
      throw fault("key.unknown", { public: `There is no key "${request.key}". Nothing was changed.` });
    authenticator.forget();
    return { key: toKey(key) };
  };
}

const kinds: readonly KeyKind[] = ["account", "deliverability", "smtp"];

function createCheckKey({ authenticator }: { readonly authenticator: KeyAuthenticator }) {
  return async (
    request: CheckKeyRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof CheckKeyResponseSchema>> => {
    const kind = kinds.find((one) => one === request.kind);
    const scope = keyScopes.find((one) => one === request.scope);
    const faults: FieldFault[] = [];
    if (!kind)
      faults.push({ pointer: "/kind", code: "field.invalid", message: "There is no such kind of key." });
    if (!scope) faults.push({ pointer: "/scope", code: "field.invalid", message: "There is no such scope." });
    if (!kind || !scope) throw validationFault(faults);
    const clientAddress = request.clientAddress || context.peerAddress;
    const key = await authenticator.authenticate(request.apiKey, { kind, scope, clientAddress });
    return { keyId: key._id, accountId: key.accountId };
  };
}
