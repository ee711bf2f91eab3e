import type { MessageInitShape } from "@bufbuild/protobuf";
import { keyScopes } from "../../../contracts/common/permissions.ts";
import {
  type CheckKeyRequest,
  type CheckKeyResponseSchema,
  KeyService,
  type ListKeysRequest,
  type ListKeysResponseSchema,
  type RenameKeyRequest,
  type RenameKeyResponseSchema,
  type RevokeKeyRequest,
  type RevokeKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { FRONT_ENDS, type HandlerContext, OPERATOR_ONLY } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import type { KeyKind } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toKey } from "../to-proto.ts";
import { checkName, createCreateKey } from "./create-key.ts";
import { createRotateKey, unknownKey } from "./rotate-key.ts";

/** Keys of accounts: created, listed, renamed, rotated, revoked, and judged for the front ends. */
export const keys = defineArea({
  service: KeyService,
  callers: {
    checkKey: FRONT_ENDS,
    createKey: OPERATOR_ONLY,
    listKeys: OPERATOR_ONLY,
    renameKey: OPERATOR_ONLY,
    rotateKey: OPERATOR_ONLY,
    revokeKey: OPERATOR_ONLY,
  },
  handlers: ({ store, authenticator, clock }: Pick<Dependencies, "store" | "authenticator" | "clock">) => ({
    createKey: createCreateKey({ store, clock }),
    listKeys: createListKeys({ store }),
    renameKey: createRenameKey({ store }),
    rotateKey: createRotateKey({ store, authenticator, clock }),
    revokeKey: createRevokeKey({ store, authenticator, clock }),
    checkKey: createCheckKey({ authenticator }),
  }),
});

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

/** Gives a key another name. */
function createRenameKey({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (request: RenameKeyRequest): Promise<MessageInitShape<typeof RenameKeyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    checkName(request.name, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    const key = await account.keys.rename(request.key, request.name);
    if (!key) throw unknownKey(request.key);
    return { key: toKey(key) };
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
    if (!key) throw unknownKey(request.key);
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
