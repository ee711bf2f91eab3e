import type { Db } from "mongodb";
import type { CounterWriter } from "../counters/counter-writer.ts";
import { createTally } from "../counters/tally.ts";
import { guarded } from "../store-fault.ts";
import { later, storeNow } from "../store-time.ts";
import { inTransaction } from "../transaction.ts";
import { journalCollections } from "./journal-documents.ts";
import {
  type JournalWriter,
  literally,
  type OpenDocument,
  type Run,
  WRITER_LEASE_MS,
} from "./journal-writer.ts";

/** What one transaction counts. It stays the same until it is known what became of it. */
interface Fold {
  readonly of: Run;
  readonly documents: readonly OpenDocument[];
  readonly countedThrough: string;
  readonly open: readonly string[];
}

/** What is counted in one transaction, at most: each account is a few documents of counters. */
const MAX_ENTRIES = 5_000;
/** A run says that it is there, with nothing to count. */
const HEARTBEAT_MS = 10_000;

/**
 * Counts what this process knows to have happened. The document of the writer tells in the same transaction how far that
 * is, so that it is counted once, whoever else counts and whatever becomes of the answer.
 */
export function createFold(
  db: Db,
  writer: Pick<JournalWriter, "current" | "boundAt" | "forget" | "leave">,
  counters: CounterWriter,
) {
  const { journal, writers } = journalCollections(db);
  let unconfirmed: Fold | undefined;
  let writtenMs = Number.NEGATIVE_INFINITY;
  let turn: Promise<void> | undefined;

  function next(now: Date): Fold | undefined {
    const run = writer.current();
    if (!run) return undefined;
    const documents: OpenDocument[] = [];
    const open: string[] = [];
    let entries = 0;
    let countedThrough: string | undefined;
    for (const document of run.documents.values()) {
      if (document.happened === undefined) open.push(document.id);
      else {
        documents.push(document);
        entries += document.size;
        countedThrough = document.id;
        if (entries >= MAX_ENTRIES) break;
      }
    }
    const isAll = entries < MAX_ENTRIES;
    const bound = isAll ? writer.boundAt(now) : (countedThrough as string);
    return { of: run, documents, countedThrough: bound, open };
  }

  /** `gone`: others took this run for gone, and count what it has left. */
  async function write(fold: Fold): Promise<"counted" | "gone"> {
    const { of, documents, countedThrough, open } = fold;
    const doubtful = documents.filter(({ happened }) => happened === "doubt").map(({ id }) => id);
    const tally = createTally();
    for (const { happened } of documents) if (Array.isArray(happened)) tally.addAll(happened);
    const expiresAt = later(storeNow(), WRITER_LEASE_MS);
    const counting = inTransaction(
      db.client,
      async (session) => {
        const found = await writers.findOne({ _id: of.id }, { session });
        if (!found || found.endedAt) return "gone";
        if (found.folds > of.folds) {
          // Counted before, and not confirmed. A write, for its confirmation is one of what was read.
          await writers.updateOne({ _id: of.id }, [{ $set: { expiresAt } }], { session });
          return "counted";
        }
        const set = { expiresAt, ...literally({ folds: of.folds + 1, countedThrough, open }) };
        await writers.updateOne({ _id: of.id }, [{ $set: set }], { session });
        if (doubtful.length > 0) {
          await journal.updateMany(
            { _id: { $in: doubtful } },
            { $set: { lookAt: new Date(0) } },
            { session },
          );
        }
        await counters.add(session, tally);
        return "counted";
      },
      { retryDuplicates: true },
    );
    return guarded(counting) as Promise<"counted" | "gone">;
  }

  async function foldAll(now: Date): Promise<void> {
    for (;;) {
      const fold = unconfirmed ?? next(now);
      if (!fold) return;
      const nowMs = performance.now();
      if (fold.documents.length === 0 && nowMs - writtenMs < HEARTBEAT_MS) return;
      await fold.of.known;
      unconfirmed = fold;
      const outcome = await write(fold);
      unconfirmed = undefined;
      writtenMs = nowMs;
      if (outcome === "gone") {
        // All that it has not counted is looked at by whoever found it gone.
        writer.leave(fold.of);
        return;
      }
      fold.of.folds++;
      writer.forget(fold.of, fold.documents);
      if (fold.documents.length === 0) return;
    }
  }

  async function fold(now: Date): Promise<void> {
    const running = turn;
    if (running) await running.catch(() => undefined);
    turn ??= foldAll(now).finally(() => {
      turn = undefined;
    });
    return turn;
  }

  return {
    /**
     * Counts what has happened since, and says that this process is there.
     * @throws Fault store.unavailable: doing it again counts nothing twice
     */
    fold,

    /** Counts the rest, and leaves what is not settled by now to others. */
    async close(now: Date): Promise<void> {
      await fold(now);
      const run = writer.current();
      if (!run) return;
      writer.leave(run);
      await guarded(
        writers.updateOne({ _id: run.id, endedAt: { $exists: false } }, { $set: { endedAt: now } }),
      );
    },
  };
}
