import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSendersRequest,
  ListSendersResponseSchema,
} from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf, placeIn, placeToken } from "../page.ts";
import { toSender } from "../to-proto.ts";

/** Senders of one account, by value. */
export function createListSenders({ store }: { readonly store: Pick<Store, "accounts" | "senders"> }) {
  return async (request: ListSendersRequest): Promise<MessageInitShape<typeof ListSendersResponseSchema>> => {
    const { _id: accountId } = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const after = pageStartOf(request.pageToken, placeIn(accountId));
    const found = await store.senders.list({ accountId, after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ value }) => placeToken(accountId, value));
    return { senders: entries.map(toSender), nextPageToken };
  };
}
