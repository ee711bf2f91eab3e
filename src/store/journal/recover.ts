import type { Db } from "mongodb";
import { idBound } from "../../shared/ids.ts";
import { readByIds } from "../bucket.ts";
import type { CounterWriter } from "../counters/counter-writer.ts";
import { createTally } from "../counters/tally.ts";
import { inTurnOrNever } from "../in-turn.ts";
import type { EventDocument, MessageDocument } from "../message-documents.ts";
import { type Found, readEach } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { isHonoured, type StoreNow, storeNow } from "../store-time.ts";
import { inTransaction } from "../transaction.ts";
import { type JournalDocument, type JournalWriterDocument, journalCollections } from "./journal-documents.ts";
import { WRITER_LEASE_MS } from "./journal-writer.ts";

const MINUTE_MS = 60_000;
/** Whoever reads the journal as it grows finds so much of it. */
const JOURNAL_MS = 60 * MINUTE_MS;
/**
 * Between looks at a document whose entries are not all there. A writer that was paused inserts no more once 5 minutes have
 * passed since its announcement; what it had sent by then arrives long before the last look.
 */
const LOOK_AGAIN_MS = [15_000, MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, JOURNAL_MS] as const;
/** A writer that is ended is remembered longer than anything it might still write can wait to be looked at. */
const ENDED_MS = 2 * JOURNAL_MS;
const AT_ONCE = 500;
/** Before all others. */
const FIRST_ID = "jnl_";

/** Counts what writers have left behind, and removes of the journal what nobody needs any more. */
export function createRecover(db: Db, counters: CounterWriter) {
  const { journal, writers } = journalCollections(db);
  const messages = db.collection<MessageDocument>("messages");
  const events = db.collection<EventDocument>("events");

  /** All that can be read: they are few, and a condition on a damaged one would fail for all. */
  function allWriters(): Promise<Found<JournalWriterDocument>> {
    return readEach<JournalWriterDocument>((options) =>
      writers.find({ _id: { $gt: "" } }, options).sort({ _id: 1 }),
    );
  }

  /** Takes writers for gone that have not been heard of: from then on they count no more themselves. */
  async function endWriters(now: Date, storeTime: StoreNow): Promise<void> {
    const { documents } = await allWriters();
    const $in = documents.flatMap(({ _id, endedAt }) => (endedAt === undefined ? _id : []));
    const isGone = { $expr: { $not: [isHonoured("$expiresAt", storeTime(), WRITER_LEASE_MS)] } };
    const filter = { _id: { $in }, endedAt: { $exists: false }, ...isGone };
    if ($in.length > 0) await guarded(writers.updateMany(filter, { $set: { endedAt: now } }));
  }

  /** Has all looked at that a writer has not counted, also what it wrote after it had been taken for gone. */
  async function handOver(writer: JournalWriterDocument): Promise<void> {
    const { _id, open } = writer;
    let { countedThrough } = writer;
    if (open.length > 0) await lookAt({ _id: { $in: [...open] } });
    for (;;) {
      const filter = { writer: _id, _id: { $gt: countedThrough } };
      const find = journal.find(filter, { projection: { _id: 1 } }).sort({ writer: 1, _id: 1 });
      const left = await guarded(find.limit(AT_ONCE).toArray());
      const last = left.at(-1);
      if (!last) break;
      await lookAt({ _id: { $in: left.map((document) => document._id) } });
      countedThrough = last._id;
    }
    if (open.length > 0 || countedThrough !== writer.countedThrough) {
      await guarded(writers.updateOne({ _id }, { $set: { countedThrough, open: [] } }));
    }
  }

  async function lookAt(which: { readonly _id: { $in: string[] } }): Promise<void> {
    await guarded(
      journal.updateMany({ ...which, lookAt: { $exists: false } }, { $set: { lookAt: new Date(0) } }),
    );
  }

  /** Counts those entries of a document that have happened and were not counted. */
  async function look(document: JournalDocument, now: Date): Promise<void> {
    const { _id, entries, looks = 0, counted = [] } = document;
    const there = await happened(document);
    const before = new Set(counted);
    const found = entries.flatMap((_, position) =>
      there.has(position) && !before.has(position) ? [position] : [],
    );
    const tally = createTally();
    tally.addAll(found.flatMap((position) => entries[position] ?? []));
    const all = [...counted, ...found];
    const waitMs = all.length < entries.length ? LOOK_AGAIN_MS[looks] : undefined;
    const update = {
      $set: {
        looks: looks + 1,
        counted: all,
        ...(waitMs !== undefined && { lookAt: new Date(now.getTime() + waitMs) }),
      },
      ...(waitMs === undefined && { $unset: { lookAt: "" as const } }),
    };
    const filter = { _id, looks: looks === 0 ? { $exists: false } : looks };
    await guarded(
      inTransaction(
        db.client,
        async (session) => {
          const { matchedCount } = await journal.updateOne(filter, update, { session });
          // Another process has looked meanwhile.
          if (matchedCount === 1) await counters.add(session, tally);
        },
        { retryDuplicates: true },
      ),
    );
  }

  /** Positions of entries whose message or event is there because of this document. */
  async function happened({ _id, entries }: JournalDocument): Promise<Set<number>> {
    const messageIds = entries.flatMap(({ eventId, messageId }) => (eventId === undefined ? messageId : []));
    const eventIds = entries.flatMap(({ eventId }) => eventId ?? []);
    const there = new Set<string>();
    if (messageIds.length > 0) {
      const found = await readByIds(messages, messageIds);
      for (const message of found.documents) if (message.journal === _id) there.add(message._id);
    }
    if (eventIds.length > 0) {
      const found = events.find({ _id: { $in: eventIds } }, { projection: { journal: 1 } });
      for (const event of await guarded(found.toArray())) if (event.journal === _id) there.add(event._id);
    }
    return new Set(
      entries.flatMap(({ eventId, messageId }, position) =>
        there.has(eventId ?? messageId) ? [position] : [],
      ),
    );
  }

  async function lookAtDue(now: Date): Promise<void> {
    const due = await readEach<JournalDocument>((options) =>
      journal
        .find({ lookAt: { $lte: now } }, options)
        .sort({ lookAt: 1 })
        .limit(AT_ONCE),
    );
    for (const document of due.documents) await look(document, now);
  }

  /** By their ids, which are read first: a condition on a damaged document would keep all others from going. */
  async function removeBefore(floor: string): Promise<void> {
    for (let after = FIRST_ID; ; ) {
      const filter = { _id: { $gt: after, $lt: floor } };
      const page = await readEach<Pick<JournalDocument, "_id" | "lookAt">>((options) =>
        journal
          .find(filter, { projection: { lookAt: 1 }, ...options })
          .sort({ _id: 1 })
          .limit(AT_ONCE),
      );
      const $in = page.documents.flatMap(({ _id, lookAt }) => (lookAt === undefined ? _id : []));
      if ($in.length > 0) await guarded(journal.deleteMany({ _id: { $in } }));
      const ids = [...page.documents.map(({ _id }) => _id), ...page.unreadable.map(({ id }) => id)].sort();
      const last = ids.at(-1);
      if (last === undefined || ids.length < AT_ONCE) return;
      after = last;
    }
  }

  /** Removes what is counted and old enough. */
  async function prune(now: Date): Promise<void> {
    const { documents, unreadable } = await allWriters();
    // Of what cannot be read nobody knows how far it has counted.
    if (unreadable.length > 0) return;
    const present = documents.filter(({ endedAt }) => endedAt === undefined);
    const floors = present.map(({ open, countedThrough }) => open[0] ?? countedThrough);
    const old = idBound("jnl", new Date(now.getTime() - JOURNAL_MS));
    const floor = [old, ...floors].sort()[0] as string;
    await removeBefore(floor);
    const longAgo = new Date(now.getTime() - ENDED_MS);
    const gone = documents.flatMap(({ _id, endedAt = now }) => (endedAt < longAgo ? _id : []));
    if (gone.length > 0) await guarded(writers.deleteMany({ _id: { $in: gone } }));
  }

  /**
   * One turn, unless another process has it: two at once would count nothing twice.
   * @param storeTime tests put another clock in the place of the store's
   * @throws Fault store.unavailable: the next turn goes on
   */
  return (now: Date, storeTime: StoreNow = storeNow): Promise<void> =>
    inTurnOrNever(db, "journal", async () => {
      await endWriters(now, storeTime);
      const { documents } = await allWriters();
      for (const writer of documents) if (writer.endedAt !== undefined) await handOver(writer);
      await lookAtDue(now);
      await prune(now);
    });
}
