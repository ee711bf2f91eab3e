import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetMessageRequest,
  GetMessageResponseSchema,
  MessageEventSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { findMessageOrSubmission } from "../find-message.ts";
import { toMessage, toMessageEvent } from "../to-proto.ts";

/** A message, by its own id or its trace id, with all that happened to it. */
export function createGetMessage({ store }: { readonly store: Pick<Store, "messages" | "events"> }) {
  return async (request: GetMessageRequest): Promise<MessageInitShape<typeof GetMessageResponseSchema>> => {
    const message = await findMessageOrSubmission(store, request);
    const events = await store.events.listOfMessage(message._id);
    return { message: toMessage(message), timeline: [...acceptance(message), ...events.map(toMessageEvent)] };
  };
}

/** The first entries follow from the message itself: they are not written a second time. */
function acceptance(message: MessageDocument): MessageInitShape<typeof MessageEventSchema>[] {
  const at = timestampFromDate(message.createdAt);
  const accepted = { id: `${message._id}.0.accepted`, kind: "accepted", at, attempt: 0 };
  if (!message.sendAt) return [accepted];
  const nextAttemptAt = timestampFromDate(message.sendAt);
  return [accepted, { id: `${message._id}.0.scheduled`, kind: "scheduled", at, attempt: 0, nextAttemptAt }];
}
