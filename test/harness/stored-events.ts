import type { Db } from "mongodb";
import type { EventDocument, MessageDocument } from "../../src/store/message-documents.ts";
import { withEnds } from "../../src/store/message-end.ts";

/** All events of messages, stored on their own or as parts of messages: oldest first. An event in both places is there twice. */
export async function storedEvents(db: Db): Promise<EventDocument[]> {
  const alone = await db.collection<EventDocument>("events").find().sort({ at: 1 }).toArray();
  const ended = { end: { $exists: true } };
  return withEnds(alone, await db.collection<MessageDocument>("messages").find(ended).toArray());
}
