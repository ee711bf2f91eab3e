import type { Db } from "mongodb";
import { idBound } from "../../shared/ids.ts";
import type { MessageDocument } from "../message-documents.ts";
import { withNamedLockIfFree } from "../named-lock.ts";
import { guarded } from "../store-fault.ts";
import { decodeBatch } from "./batch-code.ts";
import { type MergeSource, sourceOf } from "./merge.ts";
import {
  bufferOf,
  dayPrefix,
  endOfDay,
  type SearchBatchDocument,
  type SearchDayDocument,
  type SearchRun,
  searchCollections,
} from "./search-documents.ts";
import { createStoredRuns } from "./stored-runs.ts";

/** Number of batches that are left uncompacted: a search reads all batches of its days. */
const MAX_BATCHES = 64;
const MAX_BATCHED_MESSAGES = 4_096;
/** Maximum number of batches compacted at once. */
const BATCHES_AT_ONCE = 1_000;
/** Smaller runs are merged with the next batches. */
const SMALL_RUN = 512;
/** Number of runs of similar size that are merged: each message is rewritten once per size. */
const RUNS_OF_A_SIZE = 8;
/** Maximum size of a run, so that a merge needs at most about 30 MB. */
const MAX_RUN = 262_144;
/** Delay after the end of a day from which on its runs are merged into one. Later messages of the day are rare. */
const SETTLED_MS = 3_600_000;
const DAY_MS = 86_400_000;

type BatchSize = Pick<SearchBatchDocument, "_id" | "messages">;

/** Sources of one new run. */
interface Plan {
  readonly batches: readonly BatchSize[];
  readonly runs: readonly SearchRun[];
}

/**
 * One turn of compaction: of batches into runs, and of small runs into larger ones. One process at a time does it. A
 * rare concurrent turn only duplicates work, because the day's document names only one result.
 */
export function createCompactSearch(db: Db) {
  const collections = searchCollections(db);
  const { batches, days, chunks } = collections;
  const stored = createStoredRuns(collections);
  const messages = db.collection<MessageDocument>("messages");

  async function compactAll(now: Date, signal: AbortSignal): Promise<void> {
    const today = Math.floor(now.getTime() / DAY_MS);
    const recent = await guarded(
      days.find({ _id: { $gte: today - 1 } }, { projection: { _id: 1 } }).toArray(),
    );
    const changed = new Set(recent.map(({ _id: day }) => day));
    for await (const day of daysOfBatches()) changed.add(day);
    for (const day of changed) await compactDay(day, now, signal);
    await removeOldest(signal);
  }

  /** Iterates over the days with batches. */
  async function* daysOfBatches(): AsyncGenerator<number, void> {
    for (let after = ""; ; ) {
      const next = batches.find({ _id: { $gt: after } }, { projection: { _id: 1 } });
      const [found] = await guarded(next.sort({ _id: 1 }).limit(1).toArray());
      if (!found) return;
      const day = Number.parseInt(found._id, 10);
      yield day;
      after = dayPrefix(day + 1);
    }
  }

  async function compactDay(day: number, now: Date, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const document = await guarded(days.findOne({ _id: day }));
      const found = await guarded(
        batches
          .find({ _id: { $gt: dayPrefix(day), $lt: dayPrefix(day + 1) } }, { projection: { messages: 1 } })
          .sort({ _id: 1 })
          .limit(BATCHES_AT_ONCE)
          .toArray(),
      );
      const isSettled = now.getTime() > endOfDay(day).getTime() + SETTLED_MS;
      const plan = planOf(found, document?.runs ?? [], isSettled);
      if (!plan || !(await carryOut(plan, day, document, now))) return;
    }
  }

  /** @returns false: another process has changed the day or the sources */
  async function carryOut(
    { batches: merged, runs }: Plan,
    day: number,
    document: SearchDayDocument | null,
    now: Date,
  ): Promise<boolean> {
    const batchIds = { _id: { $in: merged.map(({ _id }) => _id) } };
    const found = merged.length > 0 ? await guarded(batches.find(batchIds).toArray()) : [];
    const fresh = found.flatMap(({ data }) => [...decodeBatch(bufferOf(data))]);
    const older = await Promise.all(runs.map(stored.open));
    if (older.includes(undefined)) return false;
    const sources = [...(fresh.length > 0 ? [sourceOf(fresh)] : []), ...(older as MergeSource[])];
    const run = await stored.write(day, sources);
    const gone = new Set(runs.map(({ id }) => id));
    const next = [...(document?.runs ?? []).filter(({ id }) => !gone.has(id)), run];
    if (!(await stored.name(day, document, next, now))) {
      await stored.remove([run]);
      return false;
    }
    await guarded(batches.deleteMany(batchIds));
    await stored.remove(runs);
    return true;
  }

  /** Days without remaining messages. */
  async function removeOldest(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const [oldest] = await guarded(days.find({}).sort({ _id: 1 }).limit(1).toArray());
      if (!oldest) return;
      const day = oldest._id;
      const end = endOfDay(day);
      const span = { $gte: idBound("msg", new Date(end.getTime() - DAY_MS)), $lt: idBound("msg", end) };
      if (await guarded(messages.findOne({ _id: span }, { projection: { _id: 1 } }))) return;
      await guarded(days.deleteOne({ _id: day, version: oldest.version }));
      await guarded(chunks.deleteMany({ _id: { $gte: dayPrefix(day), $lt: dayPrefix(day + 1) } }));
    }
  }

  return (now: Date, signal: AbortSignal): Promise<void> =>
    withNamedLockIfFree(db, "search.compact", () => compactAll(now, signal));
}

/** The next compaction of a day; undefined: none. */
export function planOf(
  batches: readonly BatchSize[],
  runs: readonly SearchRun[],
  isSettled: boolean,
): Plan | undefined {
  const small = runs.filter((run) => run.messages < SMALL_RUN);
  const batched = sizeOf(batches);
  if (batches.length >= MAX_BATCHES || batched >= MAX_BATCHED_MESSAGES) return { batches, runs: small };
  const sizes = new Map<number, SearchRun[]>();
  for (const run of runs) {
    if (run.messages < SMALL_RUN || run.messages * RUNS_OF_A_SIZE > MAX_RUN) continue;
    const size = Math.floor(Math.log2(run.messages / SMALL_RUN) / Math.log2(RUNS_OF_A_SIZE));
    const same = [...(sizes.get(size) ?? []), run];
    if (same.length >= RUNS_OF_A_SIZE) return { batches: [], runs: same };
    sizes.set(size, same);
  }
  if (!isSettled) return undefined;
  const fitting: SearchRun[] = [];
  let total = batched;
  for (const run of runs.toSorted((a, b) => a.messages - b.messages)) {
    if (total + run.messages > MAX_RUN) break;
    total += run.messages;
    fitting.push(run);
  }
  return batches.length > 0 || fitting.length > 1 ? { batches, runs: fitting } : undefined;
}

function sizeOf(parts: readonly { readonly messages: number }[]): number {
  return parts.reduce((sum, { messages }) => sum + messages, 0);
}
