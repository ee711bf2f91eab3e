import type { Binary, Db } from "mongodb";
import { timeOfId } from "../../shared/ids.ts";
import { bytesOf } from "../chunk-store.ts";

/**
 * The search index of messages.
 *
 * Messages that are stored together are indexed together, before they are stored: in one batch per day (UTC, from the
 * ids). So the index contains every existing message. Additional entries (after a crash, of a repeated submission, of
 * removed messages) are filtered out when the messages are read. In the background, batches become runs, and small
 * runs become larger ones: postings by term, in chunks of some kilobytes, so that a search reads one chunk for each
 * term. The document of a day names its runs. It changes last, in one write; the replaced data is removed afterwards.
 */

/** Messages of one day that were stored together. Its id begins with the day. */
export interface SearchBatchDocument {
  readonly _id: string;
  readonly messages: number;
  readonly data: Binary;
}

export interface SearchRun {
  /** Begins with the day. */
  readonly id: string;
  readonly messages: number;
  /** Its postings are in 2 to the power of this many chunks, by the first bits of the term. */
  readonly chunkBits: number;
}

export interface SearchDayDocument {
  /** Days since 1970. */
  readonly _id: number;
  /** Incremented with each change: a slower concurrent compaction changes nothing. */
  readonly version: number;
  readonly runs: readonly SearchRun[];
  readonly changedAt: Date;
}

/** `run.p3`: postings; `run.i7`: ids, newest first; `run.f`: the first id of each id chunk. */
export interface SearchChunkDocument {
  readonly _id: string;
  readonly data: Binary;
}

/** Number of ids in one chunk. */
export const IDS_PER_CHUNK = 512;

export const TERM_BITS = 48;
const DAY_DIGITS = 6;
const DAY_MS = 86_400_000;

export function searchCollections(db: Db) {
  return {
    batches: db.collection<SearchBatchDocument>("searchBatches"),
    days: db.collection<SearchDayDocument>("searchDays"),
    chunks: db.collection<SearchChunkDocument>("searchChunks"),
  };
}

export type SearchCollections = ReturnType<typeof searchCollections>;

/** The contents of a document, without a copy. */
export function bufferOf(data: Binary): Buffer {
  const bytes = bytesOf(data);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Day of a message, from its id. */
export function dayOf(messageId: string): number {
  return Math.floor(timeOfId(messageId).getTime() / DAY_MS);
}

/** End of a day. */
export function endOfDay(day: number): Date {
  return new Date((day + 1) * DAY_MS);
}

/** Prefix of the ids of a day's batches and runs. */
export function dayPrefix(day: number): string {
  return `${String(day).padStart(DAY_DIGITS, "0")}.`;
}

/** The chunk that contains a term. */
export function chunkOf(term: number, chunkBits: number): number {
  return Math.floor(term / 2 ** (TERM_BITS - chunkBits));
}

export const postingsId = ({ id }: SearchRun, chunk: number) => `${id}.p${chunk}`;
export const idsId = ({ id }: SearchRun, chunk: number) => `${id}.i${chunk}`;
export const fencesId = ({ id }: SearchRun) => `${id}.f`;

/** Number of id chunks of a run. */
export function idChunks({ messages }: SearchRun): number {
  return Math.ceil(messages / IDS_PER_CHUNK);
}
