import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListKeysRequest,
  ListKeysResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { toKey } from "../to-proto.ts";

/** Keys of one account, oldest first. */
export function createListKeys({ store }: { readonly store: Pick<Store, "accounts" | "keys"> }) {
  return async (request: ListKeysRequest): Promise<MessageInitShape<typeof ListKeysResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      accounts: store.accounts,
      list: (page) => store.keys.list(page),
      placeOf: ({ _id }) => _id,
    });
    return { keys: entries.map(toKey), nextPageToken };
  };
}
