import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListSendersRequest,
  ListSendersResponseSchema,
} from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import type { Store } from "../../store/store.ts";
import { toSender } from "../to-proto.ts";

export function createListSenders({ store }: { readonly store: Pick<Store, "accounts" | "senders"> }) {
  return async ({
    accountId,
  }: ListSendersRequest): Promise<MessageInitShape<typeof ListSendersResponseSchema>> => {
    const account = await store.accounts.resolve(accountId);
    return { senders: (await store.senders.list(account._id)).map(toSender) };
  };
}
