import type { Collection, Db, Filter } from "mongodb";
import { idBound, newId } from "../../shared/ids.ts";
import { readByIds } from "../bucket.ts";
import type { EventDocument, MessageDocument, MessageEnd } from "../message-documents.ts";
import { endIdOf, eventOfEnd } from "../message-end.ts";
import { pagesById, readEach } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { inTransaction } from "../transaction.ts";
import type { RecordParts } from "./choose-record.ts";
import { type EventPageDocument, entriesOf, eventPagesOf } from "./event-pages.ts";
import {
  entryOfEvent,
  entryOfMessage,
  factsOf,
  type JournalDocument,
  type JournalEntry,
  type JournalWriterDocument,
  journalCollections,
} from "./journal-documents.ts";
import { REACH_MS } from "./journal-writer.ts";

const PAGE = 500;
/** Page size of journal documents, which may have some hundred KB each. */
const JOURNAL_PAGE = 10;
/** Time range of events that are read at once: a second has some thousand. */
const SLICE_MS = 2_000;

/** A stored document with a stamp. */
interface Stamped {
  readonly _id: string;
  readonly journal: string;
}

/** A message with the stamp of its end. */
interface EndStamp extends Pick<MessageDocument, "_id"> {
  readonly end: Pick<MessageEnd, "attempt" | "kind" | "journal">;
}

const END_STAMP = { end: 1 } as const;

/** Lower bound of the ids of all documents about events that the writer has counted between `from` and `through`. */
export function pagesFrom({ from }: JournalWriterDocument): string {
  return idBound("jnl", new Date(from.getTime() - 2 * REACH_MS));
}

/**
 * Finds events that a writer has stored but not counted, and counts them.
 * @returns a function that rejects with store.unavailable; events counted before that stay counted
 */
export function createFindLeft(
  db: Db,
  { outbox, chooseRecord }: Pick<RecordParts, "outbox" | "chooseRecord">,
) {
  const { journal, writers } = journalCollections(db);
  const pages = eventPagesOf(db);
  const messages = db.collection<MessageDocument>("messages");
  const events = db.collection<EventDocument>("events");

  /** Counted or separately checked events: ids, and ids with stamps. Undefined: unreadable. */
  async function known(writer: JournalWriterDocument): Promise<Set<string> | undefined> {
    const found = new Set<string>();
    const add = (entries: readonly JournalEntry[] | undefined, stamp?: string) => {
      for (const { eventId, messageId } of entries ?? []) found.add(keyOf(eventId ?? messageId, stamp));
      return entries !== undefined;
    };
    const isWhole =
      (await eachOfWriter<JournalDocument>(journal, writer, ({ entries, stamp }) => add(entries, stamp))) &&
      (await eachOfWriter<EventPageDocument>(pages, writer, (page) => add(entriesOf(page))));
    return isWhole ? found : undefined;
  }

  /** Ids of messages and events with the writer's stamps that are not known. */
  async function left(writer: JournalWriterDocument, before: ReadonlySet<string>) {
    const { _id, from, through, kept = {} } = writer;
    const carried = { $gte: `${_id}:`, $lt: `${_id};` };
    const behind = new Date(through.getTime() + 1);
    const isLeft = ({ _id: id, journal: stamp }: Stamped) => !before.has(id) && !before.has(keyOf(id, stamp));
    const found = { messages: [] as string[], events: [] as string[], ends: [] as string[] };
    const accepted = pagesById<Stamped>(
      ({ _id: after }, options) =>
        messages
          .find(
            { _id: { ...after, $lt: idBound("msg", behind) }, journal: carried },
            { projection: { journal: 1 }, ...options },
          )
          .sort({ _id: 1 }),
      PAGE,
      idBound("msg", from),
    );
    for await (const { documents } of accepted)
      found.messages.push(...documents.filter(isLeft).map(({ _id: id }) => id));
    const isLeftEnd = ({ _id: id, end }: EndStamp) =>
      isLeft({ _id: endIdOf(id, end), journal: end.journal ?? "" });
    for (const ms of Object.keys(kept).map(Number)) {
      for (let start = from.getTime(); start < behind.getTime(); start += SLICE_MS) {
        const end = Math.min(start + SLICE_MS, behind.getTime());
        const expireAt = { $gte: new Date(start + ms), $lt: new Date(end + ms) };
        const some = await readEach<Stamped>((options) =>
          events.find({ expireAt, journal: carried }, { projection: { journal: 1 }, ...options }),
        );
        found.events.push(...some.documents.filter(isLeft).map(({ _id: id }) => id));
        const ended = await readEach<EndStamp>((options) =>
          messages.find({ expireAt, "end.journal": carried }, { projection: END_STAMP, ...options }),
        );
        found.ends.push(...ended.documents.filter(isLeftEnd).map(({ _id: id }) => id));
      }
    }
    return found;
  }

  async function messageEntries(ids: readonly string[]): Promise<JournalEntry[]> {
    return (await readByIds(messages, ids)).documents.map(entryOfMessage);
  }

  async function eventEntries(ids: readonly string[]): Promise<JournalEntry[]> {
    const found = await readEach<EventDocument>((options) =>
      events.find({ _id: { $in: [...ids] } }, options),
    );
    const of = [...new Set(found.documents.map(({ messageId }) => messageId))];
    const about = new Map((await readByIds(messages, of)).documents.map((one) => [one._id, factsOf(one)]));
    return found.documents.map((event) => {
      const facts = about.get(event.messageId);
      return entryOfEvent({ ...event, ...(facts && { about: facts }) });
    });
  }

  async function endEntries(ids: readonly string[]): Promise<JournalEntry[]> {
    return (await readByIds(messages, ids)).documents.flatMap((message) => {
      const event = eventOfEnd(message);
      return event ? entryOfEvent({ ...event, about: factsOf(message) }) : [];
    });
  }

  /** False: another process is doing the same. */
  async function count(
    { _id, from }: JournalWriterDocument,
    entries: readonly JournalEntry[],
    finds: number,
    at: Date,
  ): Promise<boolean> {
    await outbox.add(entries);
    // A later search must find it.
    const idTime = new Date(Math.max(at.getTime(), from.getTime()));
    const recordEvents = await chooseRecord();
    const record = recordEvents(entries, () => ({ _id: newId("jnl", idTime), writer: _id, at }));
    return guarded(
      inTransaction(
        db.client,
        async (session) => {
          const filter = { _id, finds: finds === 0 ? { $exists: false } : finds };
          const { matchedCount } = await writers.updateOne(
            filter,
            { $set: { finds: finds + 1 } },
            { session },
          );
          if (matchedCount === 0) return false;
          await record.write(session);
          await record.conclude(session);
          return true;
        },
        { retryDuplicates: true },
      ),
    );
  }

  return async (writer: JournalWriterDocument, now: Date): Promise<void> => {
    let { finds = 0 } = writer;
    const before = await known(writer);
    if (!before) return;
    const { messages: messageIds, events: eventIds, ends: endIds } = await left(writer, before);
    const work = [
      ...pagesOf(messageIds).map((ids) => () => messageEntries(ids)),
      ...pagesOf(eventIds).map((ids) => () => eventEntries(ids)),
      ...pagesOf(endIds).map((ids) => () => endEntries(ids)),
    ];
    for (const read of work) {
      const entries = await read();
      if (entries.length > 0 && !(await count(writer, entries, finds++, now))) return;
    }
  };
}

/** @param work processes a valid document, in order. False: it is unreadable @returns false: one is unreadable */
async function eachOfWriter<D extends JournalDocument | EventPageDocument>(
  collection: Collection<D>,
  writer: JournalWriterDocument,
  work: (document: D) => boolean,
): Promise<boolean> {
  const found = pagesById<D>(
    (range, options) =>
      collection.find({ writer: writer._id, ...range } as Filter<D>, options).sort({ writer: 1, _id: 1 }),
    JOURNAL_PAGE,
    pagesFrom(writer),
  );
  for await (const { documents, unreadable } of found) {
    const valid = documents.filter(({ fold = 0 }) => fold <= writer.folds);
    if (unreadable.length > 0 || !valid.every(work)) return false;
  }
  return true;
}

function keyOf(id: string, stamp = ""): string {
  return stamp === "" ? id : `${id} ${stamp}`;
}

function pagesOf(ids: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) =>
    ids.slice(page * PAGE, (page + 1) * PAGE),
  );
}
