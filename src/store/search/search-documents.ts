import type { Binary, Db } from "mongodb";
import { timeOfId } from "../../shared/ids.ts";
import { bytesOf } from "../chunk-store.ts";

/**
 * The index by which messages are found.
 *
 * What is stored together is indexed together, before it is stored: a batch for each day (UTC, from the ids). So the index
 * has every message that there is; what else it has (of a crash, a repeated submission, a message long removed) is told
 * apart when the messages themselves are read. In the background batches become runs, and small runs larger ones: postings
 * by term, in chunks of some kilobytes, so that a search reads one of them for each of its terms. The document of a day
 * names its runs; it changes last, in one write, and after it what the new run has taken the place of is removed.
 */

/** Messages that were stored together, of one day. Its id begins with the day. */
export interface SearchBatchDocument {
  readonly _id: string;
  readonly messages: number;
  readonly data: Binary;
}

export interface SearchRun {
  /** Begins with the day. */
  readonly id: string;
  readonly messages: number;
  /** Its postings lie in 2 to the power of this many chunks, by the first bits of the term. */
  readonly chunkBits: number;
}

export interface SearchDayDocument {
  /** Days since 1970. */
  readonly _id: number;
  /** Goes up with each change: who compacts and finds another one was faster changes nothing. */
  readonly version: number;
  readonly runs: readonly SearchRun[];
  readonly changedAt: Date;
}

/** `run.p3`: postings; `run.i7`: ids, newest first; `run.f`: the first id of each of the latter. */
export interface SearchChunkDocument {
  readonly _id: string;
  readonly data: Binary;
}

/** Ids in one chunk of them. */
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

/** What lies in a document, not copied. */
export function bufferOf(data: Binary): Buffer {
  const bytes = bytesOf(data);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The day of a message, by its id. */
export function dayOf(messageId: string): number {
  return Math.floor(timeOfId(messageId).getTime() / DAY_MS);
}

/** When a day ends. */
export function endOfDay(day: number): Date {
  return new Date((day + 1) * DAY_MS);
}

/** What ids of a day's batches and runs begin with. */
export function dayPrefix(day: number): string {
  return `${String(day).padStart(DAY_DIGITS, "0")}.`;
}

/** The chunk in which a term is. */
export function chunkOf(term: number, chunkBits: number): number {
  return Math.floor(term / 2 ** (TERM_BITS - chunkBits));
}

export const postingsId = ({ id }: SearchRun, chunk: number) => `${id}.p${chunk}`;
export const idsId = ({ id }: SearchRun, chunk: number) => `${id}.i${chunk}`;
export const fencesId = ({ id }: SearchRun) => `${id}.f`;

/** Chunks of ids that a run has. */
export function idChunks({ messages }: SearchRun): number {
  return Math.ceil(messages / IDS_PER_CHUNK);
}
