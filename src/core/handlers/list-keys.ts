import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListKeysRequest,
  ListKeysResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf, placeIn, placeToken } from "../page.ts";
import { toKey } from "../to-proto.ts";

/** Keys of one account, oldest first. */
export function createListKeys({ store }: { readonly store: Pick<Store, "accounts" | "keys"> }) {
  return async (request: ListKeysRequest): Promise<MessageInitShape<typeof ListKeysResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const after = pageStartOf(request.pageToken, placeIn(accountId));
    const found = await store.keys.list({ accountId, after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => placeToken(accountId, _id));
    return { keys: entries.map(toKey), nextPageToken };
  };
}
