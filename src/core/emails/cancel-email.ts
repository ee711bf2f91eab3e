import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type {
  CancelEmailRequest,
  CancelEmailResponseSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { CancelMessageRequestSchema } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { findMessage, unknownMessage } from "../find-message.ts";
import type { createCancelMessage } from "../messages.ts";
import type { EmailNeeds } from "./list-emails.ts";

export interface CancelEmailNeeds extends EmailNeeds {
  readonly cancelMessage: ReturnType<typeof createCancelMessage>;
}

/** Cancels a message that a key may read. */
export function createCancelEmail({ openReader, store, cancelMessage }: CancelEmailNeeds) {
  return async (
    request: CancelEmailRequest,
    context: Pick<HandlerContext, "peerAddress" | "audit" | "signal">,
  ): Promise<MessageInitShape<typeof CancelEmailResponseSchema>> => {
    const { accountId, ownKeyId, rateLimits, audit } = await openReader(request, context, "email.cancel");
    if (ownKeyId !== undefined) {
      const { keyId } = await findMessage(store.forAccount(accountId), request.id);
      if (keyId !== ownKeyId) throw unknownMessage(request.id);
    }
    const asked = create(CancelMessageRequestSchema, { id: request.id, accountId });
    const { message } = await cancelMessage(asked, { actor: "account", signal: context.signal, audit });
    return { ...(message && { message }), rateLimits };
  };
}
