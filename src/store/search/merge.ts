import { setImmediate as turn } from "node:timers/promises";
import type { IndexedMessage } from "./batch-code.ts";
import { PACKED_ID_BYTES, packIds } from "./packed-ids.ts";
import { encodePostings, type Posting, union } from "./postings.ts";
import { chunkOf, IDS_PER_CHUNK, TERM_BITS } from "./search-documents.ts";

/** A source of a merged run. */
export interface MergeSource {
  /** Newest first, without duplicates. */
  readonly ids: readonly string[];
  /** The postings of a chunk of the new run, ordered by term. Chunks are requested in ascending order. */
  postings(chunk: number, chunkBits: number): Promise<readonly Posting[]>;
}

/** A piece of a run: its position and its bytes. */
export type RunPiece =
  | { readonly kind: "postings" | "ids"; readonly chunk: number; readonly data: Buffer }
  | { readonly kind: "fences"; readonly data: Buffer };

/** Number of messages per chunk, for chunks of about 8 KB. */
const MESSAGES_PER_CHUNK = 96;
const MAX_CHUNK_BITS = 12;
/** Other work of the process runs after this many ids. */
const IDS_AT_ONCE = 5_000;

/** Number of chunks for the postings of this many messages, as a power of two. */
export function chunkBitsFor(messages: number): number {
  const bits = Math.ceil(Math.log2(Math.max(1, messages / MESSAGES_PER_CHUNK)));
  return Math.min(bits, MAX_CHUNK_BITS);
}

/** Messages as a source. Duplicates are merged with the terms of both. */
export function sourceOf(messages: readonly IndexedMessage[]): MergeSource {
  const newestFirst = messages.toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  const ids: string[] = [];
  const count = messages.reduce((sum, { terms }) => sum + terms.length, 0);
  const terms = new Float64Array(count);
  const numbers = new Uint32Array(count);
  let at = 0;
  for (const { id, terms: own } of newestFirst) {
    if (id !== ids.at(-1)) ids.push(id);
    for (const term of own) {
      terms[at] = term;
      numbers[at++] = ids.length - 1;
    }
  }
  const cut = createCut(grouped(terms, numbers));
  return { ids, postings: async (chunk, chunkBits) => cut(chunk, chunkBits) };
}

/** A source without some of its messages. */
export function withoutIds(source: MergeSource, gone: ReadonlySet<string>): MergeSource {
  const positions = new Map<number, number>();
  const ids = source.ids.filter((id, number) => {
    if (gone.has(id)) return false;
    positions.set(number, positions.size);
    return true;
  });
  return {
    ids,
    postings: async (chunk, chunkBits) =>
      (await source.postings(chunk, chunkBits)).flatMap(({ term, numbers }) => {
        const kept = numbers.flatMap((number) => positions.get(number) ?? []);
        return kept.length > 0 ? [{ term, numbers: kept }] : [];
      }),
  };
}

/** Bits of a term that fit into a double together with the position of an entry. */
const SORTED_BITS = 26;
const POSITIONS = 2 ** (53 - SORTED_BITS);

/**
 * Groups entries with ascending numbers into postings. Sorting numbers is many times faster than sorting other
 * values: each entry becomes one number, from the first bits of its term and its position. The few terms with equal
 * first bits are sorted afterwards.
 */
function grouped(terms: Float64Array, numbers: Uint32Array): Posting[] {
  const shift = 2 ** (TERM_BITS - SORTED_BITS);
  const order = terms.map((term, position) => Math.floor(term / shift) * POSITIONS + position).sort();
  const postings: { term: number; numbers: number[] }[] = [];
  for (const entry of order) {
    const position = entry % POSITIONS;
    const term = terms[position] as number;
    const number = numbers[position] as number;
    let index = postings.length;
    while (index > 0 && (postings[index - 1] as Posting).term > term) index--;
    const posting = postings[index - 1];
    if (posting?.term !== term) postings.splice(index, 0, { term, numbers: [number] });
    else if (posting.numbers.at(-1) !== number) posting.numbers.push(number);
  }
  return postings;
}

/** Cuts the postings of several chunks into those of one chunk after the other. */
export function createCut(postings: readonly Posting[]) {
  let at = 0;
  return (chunk: number, chunkBits: number): readonly Posting[] => {
    const chunkAt = (index: number) => chunkOf((postings[index] as Posting).term, chunkBits);
    while (at < postings.length && chunkAt(at) < chunk) at++;
    const start = at;
    while (at < postings.length && chunkAt(at) === chunk) at++;
    return postings.slice(start, at);
  };
}

/** The ids of a run with the messages of all sources, and the new numbers of each source's messages. */
export async function mergeIds(sources: readonly MergeSource[]) {
  const ids: string[] = [];
  const numbers = sources.map((source) => new Uint32Array(source.ids.length));
  const positions = sources.map(() => 0);
  for (;;) {
    let newest = "";
    for (const [index, { ids }] of sources.entries()) {
      const head = ids[positions[index] as number];
      if (head !== undefined && head > newest) newest = head;
    }
    if (newest === "") return { ids, numbers };
    for (const [index, source] of sources.entries()) {
      const position = positions[index] as number;
      if (source.ids[position] !== newest) continue;
      (numbers[index] as Uint32Array)[position] = ids.length;
      positions[index] = position + 1;
    }
    ids.push(newest);
    if (ids.length % IDS_AT_ONCE === 0) await turn();
  }
}

/** The pieces of the run with the messages of all sources; `merged` is the result of `mergeIds`. */
export async function* piecesOf(
  sources: readonly MergeSource[],
  merged: Awaited<ReturnType<typeof mergeIds>>,
  chunkBits: number,
): AsyncGenerator<RunPiece, void> {
  const { ids } = merged;
  const fences: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_CHUNK) {
    fences.push(ids[start] as string);
    const data = packIds(ids.slice(start, start + IDS_PER_CHUNK));
    yield { kind: "ids", chunk: start / IDS_PER_CHUNK, data };
  }
  yield { kind: "fences", data: packIds(fences) };
  for (let chunk = 0; chunk < 2 ** chunkBits; chunk++) {
    const parts = await Promise.all(sources.map((source) => source.postings(chunk, chunkBits)));
    const data = encodePostings(mergePostings(parts, merged.numbers));
    yield { kind: "postings", chunk, data };
    await turn();
  }
}

/** Merges postings of several sources into those of the run, ordered by term. */
function* mergePostings(
  parts: readonly (readonly Posting[])[],
  numbers: readonly Uint32Array[],
): Generator<Posting, void> {
  const positions = parts.map(() => 0);
  for (;;) {
    let term = Number.POSITIVE_INFINITY;
    for (const [index, part] of parts.entries()) {
      term = Math.min(term, part[positions[index] as number]?.term ?? term);
    }
    if (term === Number.POSITIVE_INFINITY) return;
    const own: number[][] = [];
    for (const [index, part] of parts.entries()) {
      const posting = part[positions[index] as number];
      if (posting?.term !== term) continue;
      positions[index] = (positions[index] as number) + 1;
      const renumber = numbers[index] as Uint32Array;
      own.push(posting.numbers.map((number) => renumber[number] as number));
    }
    yield { term, numbers: union(own) };
  }
}

/** Number of packed ids. */
export function countPacked(data: Uint8Array): number {
  return data.length / PACKED_ID_BYTES;
}
