import type { Db, Filter, UpdateFilter } from "mongodb";
import { bucketOf } from "../shared/ids.ts";
import { allNamed, named } from "./bucket.ts";
import type { EventWriter, Insertion } from "./event-writer.ts";
import type { NewEvent } from "./journal/journal-documents.ts";
import type { Announcement } from "./journal/journal-writer.ts";
import type { EventDocument, MessageDocument } from "./message-documents.ts";
import { endIdOf, endOf, isEnd } from "./message-end.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import type { WriteInOrder } from "./write-in-order.ts";

/** The end of one attempt: its event, and the update of its message. */
export interface AttemptEnd {
  readonly event: NewEvent;
  readonly filter: Filter<MessageDocument>;
  readonly update: Change;
}

type Change = UpdateFilter<MessageDocument> & { readonly $set: object };
type StoredEnd = Pick<MessageDocument, "_id" | "end">;

export type RecordEnds = ReturnType<typeof createAttemptEnds>;

interface Outcome extends Insertion {
  /** Number of messages that the updates have matched. */
  readonly matched: number;
  /** Those of which neither was written, because the message is in another state or has another event as its part. */
  readonly left: readonly AttemptEnd[];
}

const NO_END = { end: { $exists: false } } as const;

/**
 * Writes ends of attempts: each event before the state of its message, or as a part of the message together with the state.
 * Which one follows from the message alone, so that all processes agree, and an event never exists in both places: the part
 * of a message is set once and never changes.
 */
export function createAttemptEnds(
  db: Db,
  writer: EventWriter,
  inOrder: WriteInOrder,
  /** Since which messages have their last event as a part; undefined: no message has. */
  endsSince: () => Promise<Date | undefined>,
) {
  const messages = db.collection<MessageDocument>("messages");

  async function applyEach(ends: readonly Pick<AttemptEnd, "filter" | "update">[]): Promise<number> {
    if (ends.length === 0) return 0;
    const operations = ends.map(({ filter, update }) => ({ updateOne: { filter, update } }));
    return (await guarded(messages.bulkWrite(operations, { ordered: false }))).matchedCount;
  }

  async function storedEnds(events: readonly EventDocument[]): Promise<ReadonlyMap<string, StoredEnd>> {
    const names = events.map(({ messageId }) => ({ _id: messageId, bucket: bucketOf(messageId) }));
    const projection = { end: 1 } as const;
    const found = await readEach<StoredEnd>((options) =>
      messages.find(allNamed(names), { projection, ...options }),
    );
    return new Map(found.documents.map((message) => [message._id, message]));
  }

  /** @returns the number of matched messages; undefined: an event existed, or an update failed, and the rest is pending */
  async function writeTogether(
    inserts: readonly EventDocument[],
    updates: readonly Pick<AttemptEnd, "filter" | "update">[],
  ): Promise<{ readonly matched?: number; readonly missing: readonly EventDocument[] }> {
    if (!(await inOrder.isSpoken())) return { missing: inserts };
    const { matched, refused } = await inOrder.write([
      ...inserts.map((document) => ({ collection: "events", document })),
      ...updates.map(({ filter, update }) => ({ collection: messages.collectionName, filter, update })),
    ]);
    return refused ? { missing: inserts.slice(refused.position) } : { matched, missing: [] };
  }

  async function write(
    ends: readonly AttemptEnd[],
    stored: readonly EventDocument[],
    since: Date | undefined,
  ): Promise<Outcome> {
    const isPart = (event: EventDocument) => since !== undefined && isEnd(event, since);
    const parts = stored.filter(isPart);
    const updates = ends.map(({ filter, update }, index) => {
      const event = stored[index] as EventDocument;
      if (!isPart(event)) return { filter, update };
      // Its time is found through `expireAt`.
      const $set = { ...update.$set, expireAt: event.expireAt, end: endOf(event) };
      return { filter: { ...filter, ...NO_END }, update: { ...update, $set } };
    });
    const inserts = stored.filter((event) => !isPart(event));
    const together = await writeTogether(inserts, updates);
    const present = new Set((await writer.writeMissing(together.missing)).present);
    const matched = together.matched ?? (await applyEach(updates));
    if (matched === ends.length || parts.length === 0) return { present, matched, left: [] };
    const found = await storedEnds(parts);
    const left = ends.filter((_, index) => {
      const event = stored[index] as EventDocument;
      return isPart(event) && found.get(event.messageId)?.end?.journal !== event.journal;
    });
    for (const { event } of left) present.add(event._id);
    return { present, matched, left };
  }

  /** Writes events without their states, as parts of messages that have none, and else on their own. */
  async function writeAlone(stored: readonly EventDocument[]): Promise<Insertion> {
    const setting = stored.map((event) => ({
      filter: { ...named({ _id: event.messageId, bucket: event.bucket }), ...NO_END },
      update: { $set: { end: endOf(event) } },
    }));
    await applyEach(setting);
    const found = await storedEnds(stored);
    const present = new Set<unknown>();
    const others: EventDocument[] = [];
    for (const event of stored) {
      const message = found.get(event.messageId);
      if (message?.end?.journal === event.journal) continue;
      const isOther = message?.end && endIdOf(message._id, message.end) !== event._id;
      if (isOther) others.push(event);
      // It is stored already, or its message was removed.
      else present.add(event._id);
    }
    for (const id of (await writer.writeMissing(others)).present) present.add(id);
    return { present };
  }

  /**
   * @returns the number of messages that the updates have matched
   * @throws Fault store.unavailable: a repetition is safe
   */
  return async (ends: readonly AttemptEnd[], announced: Announcement): Promise<number> => {
    const since = await endsSince();
    const events = ends.map(({ event }) => event);
    const { matched, left } = await writer.insert(events, announced, (stored) => write(ends, stored, since));
    if (left.length === 0) return matched;
    const late = left.map(({ event }) => event);
    // Ahead, because the time of a part without a state cannot be found.
    await writer.insert(late, writer.announce(late, { isAhead: true }), writeAlone);
    return matched + (await applyEach(left));
  };
}
