import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetEmailRequest,
  GetEmailResponseSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { findMessage, findMessageOrSubmission, unknownMessage } from "../find-message.ts";
import { timelineOf } from "../timeline.ts";
import { toMessage } from "../to-proto.ts";
import type { EmailNeeds } from "./list-emails.ts";

/** Returns a message that a key may read, by its id or its trace id, with its timeline. */
export function createGetEmail({ openReader, store }: EmailNeeds) {
  return async (
    request: GetEmailRequest,
    context: Pick<HandlerContext, "peerAddress" | "audit">,
  ): Promise<MessageInitShape<typeof GetEmailResponseSchema>> => {
    const { accountId, ownKeyId, rateLimits } = await openReader(request, context, "email.read");
    const account = store.forAccount(accountId);
    const message =
      ownKeyId === undefined
        ? await findMessageOrSubmission(account, request.id)
        : await findOwn(account, request.id, ownKeyId);
    return { message: toMessage(message), timeline: await timelineOf(account, message), rateLimits };
  };
}

/**
 * Finds a message that the key may read; the existence of other messages is not revealed.
 * @param id id of the message, or trace id of its submission
 * @throws Fault message.unknown, message.unreadable
 */
export async function findOwn(
  { messages }: Pick<AccountStore, "messages">,
  id: string,
  keyId: string,
): Promise<MessageDocument> {
  if (id.startsWith("sx_")) {
    // Another key may have used the same trace id.
    const found = await messages.list({ filter: { traceId: id, keyId }, limit: 1 });
    const [message] = found.messages;
    if (message) return message;
    throw unknownMessage(id);
  }
  const message = await findMessage({ messages }, id);
  if (message.keyId === keyId) return message;
  throw unknownMessage(id);
}
