import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RevokeKeyRequest,
  RevokeKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { Store } from "../../store/store.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import { toKey } from "../to-proto.ts";

export interface RevokeKeyOptions {
  readonly store: Pick<Store, "accounts" | "keys">;
  readonly authenticator: KeyAuthenticator;
  readonly clock: Clock;
}

/** Revokes a key for good; one that is revoked already stays so. */
export function createRevokeKey({ store, authenticator, clock }: RevokeKeyOptions) {
  return async (request: RevokeKeyRequest): Promise<MessageInitShape<typeof RevokeKeyResponseSchema>> => {
    const account = await store.accounts.resolve(request.accountId);
    const key = await store.keys.revoke(account._id, request.key, clock.now());
    if (!key)
      throw fault("key.unknown", { public: `There is no key "${request.key}". Nothing was changed.` });
    authenticator.forget();
    return { key: toKey(key) };
  };
}
