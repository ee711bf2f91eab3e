import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSendersRequest,
  ListSendersResponseSchema,
} from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { pageOfAccount } from "../page.ts";
import { toSender } from "../to-proto.ts";

/** Senders of one account, by value. */
export function createListSenders({ store }: { readonly store: Pick<Store, "accounts" | "senders"> }) {
  return async (request: ListSendersRequest): Promise<MessageInitShape<typeof ListSendersResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      accounts: store.accounts,
      list: (page) => store.senders.list(page),
      placeOf: ({ value }) => value,
    });
    return { senders: entries.map(toSender), nextPageToken };
  };
}
