import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListQuarantinedMessagesRequest,
  ListQuarantinedMessagesResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { toQuarantined } from "../to-proto.ts";

/** Messages that are kept aside; the page token is the last id of the page before. */
export function createListQuarantined({ store }: { readonly store: Pick<Store, "quarantine"> }) {
  return async (
    request: ListQuarantinedMessagesRequest,
  ): Promise<MessageInitShape<typeof ListQuarantinedMessagesResponseSchema>> => {
    const limit = pageSizeOf(request.pageSize);
    const found = await store.quarantine.list({
      accountId: request.accountId === "" ? undefined : request.accountId,
      // Whatever a damaged message has for an id.
      afterId: pageStartOf(request.pageToken, (token) => token),
      limit: limit + 1,
    });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { messages: entries.map(toQuarantined), nextPageToken };
  };
}
