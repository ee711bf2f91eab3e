import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListMessagesRequest,
  ListMessagesResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { type MessageState, messageStates } from "../../shared/message-state.ts";
import type { Store } from "../../store/store.ts";
import { messageIdIn, pageSizeOf, pageStartOf } from "../page.ts";
import { toMessage } from "../to-proto.ts";

/** Messages of one account, newest first; the page token is the last id of the page before. */
export function createListMessages({ store }: { readonly store: Pick<Store, "accounts" | "messages"> }) {
  return async (
    request: ListMessagesRequest,
  ): Promise<MessageInitShape<typeof ListMessagesResponseSchema>> => {
    const account = await store.accounts.resolve(request.accountId);
    const limit = pageSizeOf(request.pageSize);
    const state = readState(request.state);
    const beforeId = pageStartOf(request.pageToken, messageIdIn);
    const { messages, nextBeforeId } = await store.messages.list({
      accountId: account._id,
      limit,
      ...(state !== undefined && { state }),
      ...(beforeId !== undefined && { beforeId }),
    });
    return { messages: messages.map(toMessage), nextPageToken: nextBeforeId ?? "" };
  };
}

/** @throws Fault request.validation_failed */
function readState(text: string): MessageState | undefined {
  if (text === "") return undefined;
  const state = messageStates.find((one) => one === text);
  if (state) return state;
  const message = `"${text}" is none of ${messageStates.join(", ")}.`;
  throw validationFault([{ pointer: "/state", code: "field.invalid", message }]);
}
