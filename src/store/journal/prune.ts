import type { Db } from "mongodb";
import { idBound } from "../../shared/ids.ts";
import { countedThrough } from "../counters/count-log.ts";
import { type EventLogDocument, eventLogCollections, logId } from "../event-log.ts";
import { type Found, pagesById } from "../read-each.ts";
import { guarded } from "../store-fault.ts";
import { type EventPageDocument, LOGGED_MS } from "./event-pages.ts";
import { pagesFrom } from "./find-left.ts";
import { type JournalDocument, type JournalWriterDocument, journalCollections } from "./journal-documents.ts";

const HOUR_MS = 3_600_000;
/** Retention of the journal for its readers. */
const JOURNAL_MS = HOUR_MS;
/** Retention of a writer after its last search. */
const ENDED_MS = 2 * HOUR_MS;
/** Retention of everything recorded if a writer's document is damaged: the database administrator may repair it. */
const UNREADABLE_MS = 7 * 24 * HOUR_MS;
const AT_ONCE = 500;
/** Lower than all other ids. */
const FIRST_ID = "jnl_";

/**
 * Removes documents that are counted and old enough. Documents are removed by ids that are read first: another filter would
 * fail for all documents because of a damaged one.
 */
export function createPrune(db: Db) {
  const { journal, writers } = journalCollections(db);
  const { log, pages } = eventLogCollections(db);

  async function removeJournal(floor: string): Promise<void> {
    const found = pagesById<Pick<JournalDocument, "_id" | "lookAt">>(
      ({ _id }, options) =>
        journal
          .find({ _id: { ..._id, $lt: floor } }, { projection: { lookAt: 1 }, ...options })
          .sort({ _id: 1 }),
      AT_ONCE,
      FIRST_ID,
    );
    for await (const { documents } of found) {
      const $in = documents.flatMap(({ _id, lookAt }) => (lookAt === undefined ? _id : []));
      if ($in.length > 0) await guarded(journal.deleteMany({ _id: { $in } }));
    }
  }

  /** Removes counted places in the event log with their pages, which are its content, except for pages at or after `floor`. */
  async function removePlaces(placedBefore: Date, floor: string): Promise<void> {
    const projection = { at: 1, page: 1 };
    const counted = await countedThrough(db);
    const $lte = counted === undefined ? {} : { $lte: logId(counted) };
    const found = pagesById<Pick<EventLogDocument, "_id" | "at"> & { readonly page?: string }>(
      ({ _id }, options) =>
        log.find({ _id: { ..._id, ...$lte } }, { projection, ...options }).sort({ _id: 1 }),
      AT_ONCE,
    );
    for await (const { documents } of found) {
      const old = documents.filter(({ at }) => at < placedBefore);
      const places = old.flatMap(({ _id, page }) =>
        page !== undefined && page < floor ? { _id, page } : [],
      );
      if (places.length > 0) {
        // In this order: after a crash in between, the next turn finds the place again.
        await guarded(pages.deleteMany({ _id: { $in: places.map(({ page }) => page) } }));
        await guarded(log.deleteMany({ _id: { $in: places.map(({ _id }) => _id) } }));
      }
      if (old.length < documents.length) return;
    }
  }

  /** Removes pages that a writer has written, but not recorded before its end. */
  async function removeInvalid(writer: JournalWriterDocument): Promise<void> {
    const found = pagesById<Pick<EventPageDocument, "_id" | "fold">>(
      (range, options) =>
        pages
          .find({ writer: writer._id, ...range }, { projection: { fold: 1 }, ...options })
          .sort({ writer: 1, _id: 1 }),
      AT_ONCE,
      pagesFrom(writer),
    );
    for await (const { documents } of found) {
      const $in = documents.flatMap(({ _id, fold = 0 }) => (fold > writer.folds ? _id : []));
      if ($in.length > 0) await guarded(pages.deleteMany({ _id: { $in } }));
    }
  }

  /** @param isDone whether all searches for the remaining events of a writer are done */
  return async (
    { documents, unreadable }: Found<JournalWriterDocument>,
    isDone: (writer: JournalWriterDocument) => boolean,
    now: Date,
  ): Promise<void> => {
    const before = (ms: number) => new Date(now.getTime() - ms);
    // Recorded events of writers with possible remaining events are needed to identify these.
    const floors = documents.flatMap((writer) => (isDone(writer) ? [] : pagesFrom(writer)));
    // The progress of an unreadable writer is unknown.
    if (unreadable.length > 0) floors.push(idBound("jnl", before(UNREADABLE_MS)));
    const floor = [idBound("jnl", before(JOURNAL_MS)), ...floors].sort()[0] as string;
    await removeJournal(floor);
    await removePlaces(before(LOGGED_MS), floor);
    const longAgo = before(ENDED_MS);
    const gone = documents.filter((one) => isDone(one) && one.endedAt !== undefined && one.endedAt < longAgo);
    for (const writer of gone) await removeInvalid(writer);
    if (gone.length > 0) await guarded(writers.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }));
  };
}
