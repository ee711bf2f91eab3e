import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListKeysRequest,
  ListKeysResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { toKey } from "../to-proto.ts";

export function createListKeys({ store }: { readonly store: Pick<Store, "accounts" | "keys"> }) {
  return async ({ accountId }: ListKeysRequest): Promise<MessageInitShape<typeof ListKeysResponseSchema>> => {
    const account = await store.accounts.resolve(accountId);
    return { keys: (await store.keys.list(account._id)).map(toKey) };
  };
}
