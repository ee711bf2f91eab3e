import type { Db } from "mongodb";
import { insertMissing } from "../insert-missing.ts";
import { guarded } from "../store-fault.ts";
import { later, storeNow } from "../store-time.ts";
import { inTransaction } from "../transaction.ts";
import type { RecordParts } from "./choose-record.ts";
import {
  type JournalDocument,
  type JournalEntry,
  journalCollections,
  splitEntries,
} from "./journal-documents.ts";
import {
  ALREADY_DUE,
  type JournalWriter,
  keyTimeMs,
  literally,
  type OpenAnnouncement,
  REACH_MS,
  type Run,
  WRITER_LEASE_MS,
} from "./journal-writer.ts";
import type { EventRecord, RecordEvents } from "./record-events.ts";
import { ALL_CHECKS } from "./recover.ts";

/** Contents of one counting transaction. They stay the same until its outcome is known. */
interface Fold {
  readonly of: Run;
  readonly announcements: readonly OpenAnnouncement[];
  readonly record: EventRecord;
  /** Entries with an unknown outcome. */
  readonly doubtful: readonly JournalDocument[];
  /** False: more was settled than one transaction counts. */
  readonly isAll: boolean;
  readonly fromMs: number;
  readonly throughMs: number;
}

/** Maximum number of entries per transaction. */
const MAX_ENTRIES = 5_000;
/** Interval at which an idle run updates its heartbeat. */
const HEARTBEAT_MS = 10_000;

/**
 * Counts the settled events of this process after their deliveries exist. In the same transaction the writer's
 * document records the progress, so that each event is counted once, regardless of other processes and lost answers.
 */
export function createFold(
  db: Db,
  writer: Pick<JournalWriter, "current" | "idAt" | "forget" | "leave">,
  { outbox, chooseRecord, placing }: RecordParts,
) {
  const { journal, writers } = journalCollections(db);
  let unconfirmed: Fold | undefined;
  let writtenMs = Number.NEGATIVE_INFINITY;
  let current: Promise<void> | undefined;

  function next(record: RecordEvents, now: Date): Fold | undefined {
    const run = writer.current();
    if (!run) return undefined;
    const announcements: OpenAnnouncement[] = [];
    let entries = 0;
    let fromMs = now.getTime() - REACH_MS;
    let throughMs = now.getTime() + REACH_MS;
    for (const announcement of run.open) {
      if (announcement.happened !== undefined && entries < MAX_ENTRIES) {
        announcements.push(announcement);
        entries += announcement.entries.length;
      } else {
        for (const entry of announcement.entries) {
          fromMs = Math.min(fromMs, keyTimeMs(entry));
          throughMs = Math.max(throughMs, keyTimeMs(entry));
        }
      }
    }
    // Events that are announced from here on must be found through the document written now.
    run.fromMs = fromMs;
    run.throughMs = Math.min(run.throughMs, throughMs);
    return {
      of: run,
      announcements,
      ...documentsOf(run, announcements, record, now),
      isAll: entries < MAX_ENTRIES,
      fromMs,
      throughMs,
    };
  }

  /** Counted events, and those with an unknown outcome. */
  function documentsOf(
    { id, folds }: Run,
    announcements: readonly OpenAnnouncement[],
    record: RecordEvents,
    at: Date,
  ): Pick<Fold, "record" | "doubtful"> {
    const head = () => ({ _id: writer.idAt(at), writer: id, at, fold: folds + 1 });
    const doubtful = announcements.filter(({ happened }) => happened === "doubt");
    return {
      record: record(happenedIn(announcements), head),
      doubtful: doubtful.flatMap(({ stamp, entries }) =>
        splitEntries(entries).map((some) => ({ ...head(), entries: some, stamp, lookAt: ALREADY_DUE })),
      ),
    };
  }

  /** `gone`: other processes consider this run ended, and count its remaining events. */
  async function write(fold: Fold): Promise<"counted" | "gone"> {
    const { of, announcements, record, doubtful, fromMs, throughMs } = fold;
    await outbox.add(happenedIn(announcements));
    // Before the transaction, which would block these documents against all concurrent writes.
    await insertMissing(journal, doubtful);
    await record.write();
    const expiresAt = later(storeNow(), WRITER_LEASE_MS);
    const reach = { from: new Date(fromMs), through: new Date(throughMs) };
    const set = { expiresAt, ...literally({ folds: of.folds + 1, ...reach }) };
    const counting = inTransaction(
      db.client,
      async (session) => {
        const next = { _id: of.id, folds: of.folds, endedAt: { $exists: false } };
        const { matchedCount } = await writers.updateOne(next, [{ $set: set }], { session });
        if (matchedCount === 1) {
          await record.conclude(session);
          return "counted";
        }
        const found = await writers.findOne({ _id: of.id }, { session });
        if (!found || found.endedAt) return "gone";
        // Counted before but not confirmed. A write, because its confirmation also confirms the read.
        await writers.updateOne({ _id: of.id }, [{ $set: { expiresAt } }], { session });
        return "counted";
      },
      { retryDuplicates: true },
    );
    return guarded(counting) as Promise<"counted" | "gone">;
  }

  async function foldAll(now: Date): Promise<void> {
    for (;;) {
      const former = unconfirmed;
      const fold = former ?? next(await chooseRecord(), now);
      if (!fold) return;
      const nowMs = performance.now();
      if (fold.announcements.length === 0 && nowMs - writtenMs < HEARTBEAT_MS) return;
      await fold.of.known;
      unconfirmed = fold;
      const outcome = await write(fold);
      unconfirmed = undefined;
      writtenMs = nowMs;
      if (outcome === "gone") {
        // The process that ended it checks all its uncounted events.
        writer.leave(fold.of);
        return;
      }
      fold.of.folds++;
      fold.of.throughMs = fold.throughMs;
      writer.forget(fold.of, fold.announcements);
      // They get their place now, and not at the next interval of another process.
      if (!fold.record.isEmpty) await placing.placeIfFree();
      // Events settled in the meantime wait for the next call. Otherwise a busy process would never finish.
      if (fold.isAll && fold !== former) return;
    }
  }

  async function fold(now: Date): Promise<void> {
    const running = current;
    if (running) await running.catch(() => undefined);
    current ??= foldAll(now).finally(() => {
      current = undefined;
    });
    return current;
  }

  return {
    /**
     * Counts the new events, and updates the heartbeat of this process.
     * @throws Fault store.unavailable: a repetition counts nothing twice
     */
    fold,

    /** Counts the rest, and leaves unsettled events to other processes. */
    async close(now: Date): Promise<void> {
      await fold(now);
      const run = writer.current();
      if (!run) return;
      writer.leave(run);
      // If everything is settled and counted, nothing is left to check.
      const checks = run.open.size === 0 ? { looks: ALL_CHECKS } : {};
      const present = { _id: run.id, endedAt: { $exists: false } };
      await guarded(writers.updateOne(present, { $set: { endedAt: now, ...checks } }));
    },
  };
}

function happenedIn(announcements: readonly OpenAnnouncement[]): readonly JournalEntry[] {
  return announcements.flatMap(({ happened }) => (Array.isArray(happened) ? happened : []));
}
