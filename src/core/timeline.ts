import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageEventSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import type { EventDocument, MessageDocument } from "../store/message-documents.ts";
import { toMessageEvent } from "./to-proto.ts";

type Entry = MessageInitShape<typeof MessageEventSchema>;

/** Timeline of a message, earliest event first. */
export async function timelineOf(
  { events }: { readonly events: { listOf(message: MessageDocument): Promise<readonly EventDocument[]> } },
  message: MessageDocument,
): Promise<Entry[]> {
  const found = await events.listOf(message);
  return [...acceptance(message), ...found.map((event) => toMessageEvent(event, message.recipient))];
}

/** The first entries are derived from the message itself, and are not stored separately. */
function acceptance(message: MessageDocument): Entry[] {
  const at = timestampFromDate(message.createdAt);
  const accepted = { id: `${message._id}.0.accepted`, kind: "accepted", at, attempt: 0 };
  if (!message.sendAt) return [accepted];
  const nextAttemptAt = timestampFromDate(message.sendAt);
  return [accepted, { id: `${message._id}.0.scheduled`, kind: "scheduled", at, attempt: 0, nextAttemptAt }];
}
