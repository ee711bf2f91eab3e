import { guarded } from "../store-fault.ts";
import { findInBatch } from "./batch-code.ts";
import { PACKED_ID_BYTES, unpackId } from "./packed-ids.ts";
import { findPosting, intersection, union } from "./postings.ts";
import {
  bufferOf,
  chunkOf,
  dayOf,
  dayPrefix,
  fencesId,
  IDS_PER_CHUNK,
  idChunks,
  idsId,
  postingsId,
  type SearchCollections,
  type SearchRun,
} from "./search-documents.ts";
import type { TermGroups } from "./terms.ts";

/** A range of ids: `since <= id < before`. */
export interface IdSpan {
  readonly since: string;
  readonly before: string;
}

/** Number of days that are read at once: most searches match recent messages. */
const FIRST_DAYS = 2;
const DAYS_GROWTH = 4;
const BATCHES_AT_ONCE = 500;

/** A run was merged into another one while it was read. */
class RunGoneError extends Error {}

/**
 * Ids of messages with a term of each group, newest first, without duplicates. Some messages may no longer exist, or
 * have other values with the same hash.
 * @throws Fault store.unavailable
 */
export async function* candidates(
  collections: SearchCollections,
  groups: TermGroups,
  span: IdSpan,
): AsyncGenerator<string, void> {
  let { before } = span;
  for (;;) {
    try {
      for await (const id of candidatesOnce(collections, groups, { ...span, before })) {
        before = id;
        yield id;
      }
      return;
    } catch (error) {
      if (!(error instanceof RunGoneError)) throw error;
    }
  }
}

async function* candidatesOnce(
  collections: SearchCollections,
  groups: TermGroups,
  span: IdSpan,
): AsyncGenerator<string, void> {
  // Batches first: a batch that is merged afterwards is in a run that the days then contain.
  const fresh = await findInBatches(collections, groups, span);
  const days = await guarded(
    collections.days
      .find({ _id: { $gte: dayOf(span.since), $lte: dayOf(span.before) } })
      .sort({ _id: -1 })
      .toArray(),
  );
  let at = 0;
  let width = FIRST_DAYS;
  while (at < days.length || fresh.length > 0) {
    const wave = days.slice(at, at + width);
    at += wave.length;
    width *= DAYS_GROWTH;
    const oldest = at < days.length ? (wave.at(-1)?._id ?? 0) : 0;
    const older = fresh.findIndex((id) => dayOf(id) < oldest);
    const young = fresh.splice(0, older === -1 ? fresh.length : older);
    const runs = wave.flatMap((day) => day.runs);
    const numbers = await findInRuns(collections, groups, runs);
    const sources = runs.map((run, index) => idsOf(collections, run, numbers[index] ?? [], span));
    yield* mergeNewestFirst([listed(young), ...sources]);
  }
}

async function findInBatches(
  { batches }: SearchCollections,
  groups: TermGroups,
  { since, before }: IdSpan,
): Promise<string[]> {
  const found: string[] = [];
  let after = dayPrefix(dayOf(since));
  const end = dayPrefix(dayOf(before) + 1);
  for (;;) {
    const page = await guarded(
      batches
        .find({ _id: { $gt: after, $lt: end } })
        .sort({ _id: 1 })
        .limit(BATCHES_AT_ONCE)
        .toArray(),
    );
    for (const { _id, data } of page) {
      after = _id;
      found.push(...findInBatch(bufferOf(data), groups));
    }
    if (page.length < BATCHES_AT_ONCE) break;
  }
  return found
    .filter((id) => id >= since && id < before)
    .sort()
    .reverse();
}

/** Matching messages of each run, by number. */
async function findInRuns(
  collections: SearchCollections,
  groups: TermGroups,
  runs: readonly SearchRun[],
): Promise<(readonly number[])[]> {
  const terms = groups.flat();
  const chunkIdOf = (run: SearchRun, term: number) => postingsId(run, chunkOf(term, run.chunkBits));
  const ids = new Set(runs.flatMap((run) => terms.map((term) => chunkIdOf(run, term))));
  const chunks = await readChunks(collections, [...ids]);
  return runs.map((run) =>
    intersection(
      groups.map((group) =>
        union(group.map((term) => findPosting(chunks.get(chunkIdOf(run, term)) as Buffer, term))),
      ),
    ),
  );
}

/** Ids of messages of a run within a range, newest first. */
async function* idsOf(
  collections: SearchCollections,
  run: SearchRun,
  numbers: readonly number[],
  span: IdSpan,
): AsyncGenerator<string, void> {
  if (numbers.length === 0) return;
  const start = await firstChunk(collections, run, span.before);
  let chunk = -1;
  let ids: Buffer = Buffer.alloc(0);
  for (const number of numbers) {
    const wanted = Math.floor(number / IDS_PER_CHUNK);
    if (wanted < start) continue;
    if (wanted !== chunk) {
      ids = await readChunk(collections, idsId(run, wanted));
      chunk = wanted;
    }
    const id = unpackId(ids, number % IDS_PER_CHUNK);
    if (id >= span.before) continue;
    if (id < span.since) return;
    yield id;
  }
}

/** Index of the first id chunk with ids before a position. */
async function firstChunk(collections: SearchCollections, run: SearchRun, before: string): Promise<number> {
  const count = idChunks(run);
  if (count === 1) return 0;
  const fences = await readChunk(collections, fencesId(run));
  let low = 0;
  let high = fences.length / PACKED_ID_BYTES - 1;
  // The last chunk that begins at the position or with a newer id.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (unpackId(fences, middle) >= before) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function readChunk(collections: SearchCollections, id: string): Promise<Buffer> {
  return (await readChunks(collections, [id])).get(id) as Buffer;
}

/** @throws RunGoneError if one of them no longer exists */
async function readChunks(
  { chunks }: SearchCollections,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const found = await guarded(chunks.find({ _id: { $in: [...ids] } }).toArray());
  if (found.length < ids.length) throw new RunGoneError();
  return new Map(found.map(({ _id, data }) => [_id, bufferOf(data)]));
}

async function* listed(ids: readonly string[]): AsyncGenerator<string, void> {
  yield* ids;
}

/** Merges several ordered sources without duplicates. */
async function* mergeNewestFirst(sources: readonly AsyncGenerator<string, void>[]) {
  const heads: { id: string; source: AsyncGenerator<string, void> }[] = [];
  const advance = async (source: AsyncGenerator<string, void>) => {
    const next = await source.next();
    if (!next.done) heads.push({ id: next.value, source });
  };
  await Promise.all(sources.map(advance));
  let last = "";
  while (heads.length > 0) {
    let first = 0;
    for (const [index, { id }] of heads.entries()) if (id > (heads[first]?.id ?? "")) first = index;
    const [{ id, source }] = heads.splice(first, 1) as [(typeof heads)[number]];
    if (id !== last) yield id;
    last = id;
    await advance(source);
  }
}
