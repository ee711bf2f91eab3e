import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListEmailsRequest,
  ListEmailsResponseSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Store } from "../../store/store.ts";
import { messageIdIn, pageSizeOf, pageStartOf } from "../page.ts";
import { readMessageFilter } from "../read-message-filter.ts";
import { toMessage } from "../to-proto.ts";
import type { OpenKeyReader } from "./key-reader.ts";

export interface EmailNeeds {
  readonly openReader: OpenKeyReader;
  readonly store: Pick<Store, "forAccount">;
}

/** Lists messages that a key may read, newest first. The page token is the last id of the previous page. */
export function createListEmails({ openReader, store }: EmailNeeds) {
  return async (
    request: ListEmailsRequest,
    context: Pick<HandlerContext, "peerAddress" | "audit">,
  ): Promise<MessageInitShape<typeof ListEmailsResponseSchema>> => {
    const { accountId, ownKeyId, rateLimits } = await openReader(request, context, "email.read");
    const limit = pageSizeOf(request.pageSize);
    const asked = readMessageFilter({ state: "", ...withoutUndefined({ filter: request.filter }) });
    const beforeId = pageStartOf(request.pageToken, messageIdIn);
    const { keyId = ownKeyId } = asked;
    // Messages of another key are not visible.
    if (ownKeyId !== undefined && keyId !== ownKeyId) return { messages: [], nextPageToken: "", rateLimits };
    const filter = { ...asked, ...withoutUndefined({ keyId }) };
    const page = { filter, limit, ...withoutUndefined({ beforeId }) };
    const { messages, nextBeforeId } = await store.forAccount(accountId).messages.list(page);
    return {
      messages: messages.map((message) => toMessage(message)),
      nextPageToken: nextBeforeId ?? "",
      rateLimits,
    };
  };
}
