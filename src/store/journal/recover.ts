import type { Db } from "mongodb";
import { newId } from "../../shared/ids.ts";
import { readByIds } from "../bucket.ts";
import type { EventDocument, MessageDocument } from "../message-documents.ts";
import { endIdOf } from "../message-end.ts";
import { withNamedLockIfFree } from "../named-lock.ts";
import { type Found, readEach } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { isHonoured, type StoreNow, storeNow } from "../store-time.ts";
import { inTransaction } from "../transaction.ts";
import type { RecordParts } from "./choose-record.ts";
import { createFindLeft } from "./find-left.ts";
import { type JournalDocument, type JournalWriterDocument, journalCollections } from "./journal-documents.ts";
import { WRITER_LEASE_MS } from "./journal-writer.ts";
import { createPrune } from "./prune.ts";

const MINUTE_MS = 60_000;
/**
 * Delays between searches for a writer's remaining events, and between checks of a document with missing entries. A
 * paused writer inserts nothing more than 5 minutes after its announcement, and pending inserts arrive long before
 * the last search.
 */
const RECHECK_MS = [15_000, MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** Number of searches for a writer's remaining events. */
export const ALL_CHECKS = RECHECK_MS.length + 1;
/** Page size of journal documents, which may have some hundred KB each. */
const CHECKS_AT_ONCE = 20;

/** Whether all searches for its remaining events are done. */
function isDone({ endedAt, looks: checks = 0 }: JournalWriterDocument): boolean {
  return endedAt !== undefined && checks >= ALL_CHECKS;
}

/** Processes all items before it rejects with the first error, so that a failure does not block other items. */
async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const one of all) await work(one).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Counts the remaining events of ended writers, and removes documents that are no longer needed. */
export function createRecover(db: Db, parts: RecordParts) {
  const { journal, writers } = journalCollections(db);
  const messages = db.collection<MessageDocument>("messages");
  const events = db.collection<EventDocument>("events");
  const findLeft = createFindLeft(db, parts);
  const prune = createPrune(db);

  /** All readable writers. They are few, and a filter would fail for all because of a damaged one. */
  function allWriters(): Promise<Found<JournalWriterDocument>> {
    return readEach<JournalWriterDocument>((options) =>
      writers.find({ _id: { $gt: "" } }, options).sort({ _id: 1 }),
    );
  }

  /** Ends writers without a heartbeat: from then on they no longer count themselves. */
  async function endWriters(now: Date, storeTime: StoreNow): Promise<void> {
    const { documents } = await allWriters();
    const $in = documents.flatMap(({ _id, endedAt }) => (endedAt === undefined ? _id : []));
    const isGone = { $expr: { $not: [isHonoured("$expiresAt", storeTime(), WRITER_LEASE_MS)] } };
    const filter = { _id: { $in }, endedAt: { $exists: false }, ...isGone };
    if ($in.length > 0) await guarded(writers.updateMany(filter, { $set: { endedAt: now } }));
  }

  /** Runs the next due search for a writer's remaining events. */
  async function checkFor(writer: JournalWriterDocument, now: Date): Promise<void> {
    const { _id, looks: checks = 0, lookAt = now } = writer;
    if (checks >= ALL_CHECKS || lookAt > now) return;
    await findLeft(writer, now);
    const waitMs = RECHECK_MS[checks];
    const next = waitMs === undefined ? {} : { lookAt: new Date(now.getTime() + waitMs) };
    const filter = { _id, looks: checks === 0 ? { $exists: false } : checks };
    await guarded(writers.updateOne(filter, { $set: { looks: checks + 1, ...next } }));
  }

  /** Counts the entries of a document that have happened but were not counted. */
  async function check(document: JournalDocument, now: Date): Promise<void> {
    const { _id, entries, looks: checks = 0, counted = [] } = document;
    const there = await happened(document);
    const before = new Set(counted);
    const found = entries.flatMap((_, position) =>
      there.has(position) && !before.has(position) ? [position] : [],
    );
    const newlyFound = found.flatMap((position) => entries[position] ?? []);
    await parts.outbox.add(newlyFound);
    const { writer } = document;
    const recordEvents = await parts.chooseRecord();
    const record = recordEvents(newlyFound, () => ({ _id: newId("jnl", now), writer, at: now }));
    const all = [...counted, ...found];
    const waitMs = all.length < entries.length ? RECHECK_MS[checks] : undefined;
    const update = {
      $set: {
        looks: checks + 1,
        counted: all,
        ...(waitMs !== undefined && { lookAt: new Date(now.getTime() + waitMs) }),
      },
      ...(waitMs === undefined && { $unset: { lookAt: "" as const } }),
    };
    const filter = { _id, looks: checks === 0 ? { $exists: false } : checks };
    await guarded(
      inTransaction(
        db.client,
        async (session) => {
          const { matchedCount } = await journal.updateOne(filter, update, { session });
          // Another process has checked it concurrently.
          if (matchedCount === 0) return;
          await record.write(session);
          await record.conclude(session);
        },
        { retryDuplicates: true },
      ),
    );
  }

  /** Positions of entries with a message or event that exists because of this document. */
  async function happened({ _id, entries, stamp = _id }: JournalDocument): Promise<Set<number>> {
    const messageIds = entries.flatMap(({ eventId, messageId }) => (eventId === undefined ? messageId : []));
    const eventIds = entries.flatMap(({ eventId }) => eventId ?? []);
    const there = new Set<string>();
    if (messageIds.length > 0) {
      const found = await readByIds(messages, messageIds);
      for (const message of found.documents) if (message.journal === stamp) there.add(message._id);
    }
    if (eventIds.length > 0) {
      const $in = eventIds;
      const found = await readEach<Pick<EventDocument, "_id" | "journal">>((options) =>
        events.find({ _id: { $in } }, { projection: { journal: 1 }, ...options }),
      );
      for (const event of found.documents) if (event.journal === stamp) there.add(event._id);
      const ofEvents = entries.flatMap(({ eventId, messageId }) => (eventId === undefined ? [] : messageId));
      for (const { _id: id, end } of (await readByIds(messages, ofEvents)).documents)
        if (end?.journal === stamp) there.add(endIdOf(id, end));
    }
    return new Set(
      entries.flatMap(({ eventId, messageId }, position) =>
        there.has(eventId ?? messageId) ? [position] : [],
      ),
    );
  }

  async function checkDue(now: Date): Promise<void> {
    const due = await readEach<JournalDocument>((options) =>
      journal
        .find({ lookAt: { $lte: now } }, options)
        .sort({ lookAt: 1 })
        .limit(CHECKS_AT_ONCE),
    );
    const ids = [...new Set(due.documents.map(({ writer }) => writer))];
    const found = await readEach<JournalWriterDocument>((options) =>
      writers.find({ _id: { $in: ids } }, options),
    );
    const writerOf = new Map(found.documents.map((writer) => [writer._id, writer]));
    await eachOf(due.documents, async (document) => {
      const writer = writerOf.get(document.writer);
      if (document.fold === undefined || document.fold <= (writer?.folds ?? 0)) return check(document, now);
      // Its writer did not count it and never will: it is among its remaining events.
      if (!writer || writer.endedAt) {
        await guarded(journal.updateOne({ _id: document._id }, { $unset: { lookAt: "" } }));
      }
    });
  }

  /**
   * Runs one turn, unless another process is running one. Two concurrent turns would count nothing twice.
   * @param storeTime tests replace the store's clock
   * @throws Fault store.unavailable: the next turn continues
   */
  return async (now: Date, storeTime: StoreNow = storeNow): Promise<void> => {
    await withNamedLockIfFree(db, "journal", async () => {
      await endWriters(now, storeTime);
      const all = await allWriters();
      const ended = all.documents.filter(({ endedAt }) => endedAt !== undefined);
      await eachOf(
        [
          () => eachOf(ended, (writer) => checkFor(writer, now)),
          () => checkDue(now),
          () => prune(all, isDone, now),
        ],
        (part) => part(),
      );
    });
    await parts.placing.placeIfFree();
  };
}
