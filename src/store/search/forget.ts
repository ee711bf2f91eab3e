import type { Db } from "mongodb";
import { noticeIdsOf } from "../../message/dsn/notice-id.ts";
import { timeOfId } from "../../shared/ids.ts";
import { readByIds } from "../bucket.ts";
import type { MessageDocument } from "../message-documents.ts";
import { guarded } from "../store-fault.ts";
import { decodeBatch, type IndexedMessage } from "./batch-code.ts";
import { type MergeSource, sourceOf, withoutIds } from "./merge.ts";
import { unpackId } from "./packed-ids.ts";
import { findPosting } from "./postings.ts";
import {
  bufferOf,
  chunkOf,
  dayOf,
  dayPrefix,
  IDS_PER_CHUNK,
  idsId,
  postingsId,
  type SearchBatchDocument,
  type SearchDayDocument,
  type SearchRun,
  searchCollections,
} from "./search-documents.ts";
import { createStoredRuns } from "./stored-runs.ts";
import type { Searchable } from "./terms.ts";

/** Removed messages that may still have index entries. */
export interface Forgotten {
  /** Messages with one of these terms. */
  readonly terms: readonly number[];
  /** Messages accepted later stay. */
  readonly until: Date;
  readonly now: Date;
}

const BATCHES_AT_ONCE = 100;
const READ_AT_ONCE = 1_000;
/** Another process may be merging the data to rewrite. */
const MAX_ATTEMPTS = 20;

/**
 * Removes deleted messages with a term from the index, and the notices about them. Affected days are rewritten
 * without them. Other days are only read.
 */
export function createForgetMessages(db: Db, add: (messages: readonly Searchable[]) => Promise<void>) {
  const collections = searchCollections(db);
  const { batches, days, chunks } = collections;
  const stored = createStoredRuns(collections);
  const messages = db.collection<MessageDocument>("messages");

  /** Messages of a term that no longer exist, and notices that no longer exist either. */
  async function goneAmong(ids: readonly string[], until: Date): Promise<Set<string>> {
    const asked = [...new Set(ids)].filter((id) => timeOfId(id) <= until);
    const gone = new Set(asked.flatMap((id) => [id, ...noticeIdsOf(id)]));
    const all = [...gone];
    for (let at = 0; at < all.length; at += READ_AT_ONCE) {
      const { documents, unreadable } = await readByIds(messages, all.slice(at, at + READ_AT_ONCE));
      for (const { _id } of documents) gone.delete(_id);
      for (const { id } of unreadable) gone.delete(id);
    }
    return gone;
  }

  /** Undefined: the run no longer exists. */
  async function idsInRun(run: SearchRun, term: number): Promise<string[] | undefined> {
    const found = await guarded(chunks.findOne({ _id: postingsId(run, chunkOf(term, run.chunkBits)) }));
    const ids: string[] = [];
    let at = -1;
    let packed: Buffer = Buffer.alloc(0);
    if (!found) return undefined;
    for (const number of findPosting(bufferOf(found.data), term)) {
      const chunk = Math.floor(number / IDS_PER_CHUNK);
      if (chunk !== at) {
        const piece = await guarded(chunks.findOne({ _id: idsId(run, chunk) }));
        if (!piece) return undefined;
        packed = bufferOf(piece.data);
        at = chunk;
      }
      ids.push(unpackId(packed, number % IDS_PER_CHUNK));
    }
    return ids;
  }

  async function* batchesOf(day: number): AsyncGenerator<SearchBatchDocument, void> {
    for (let after = dayPrefix(day); ; ) {
      const page = batches.find({ _id: { $gt: after, $lt: dayPrefix(day + 1) } });
      const found = await guarded(page.sort({ _id: 1 }).limit(BATCHES_AT_ONCE).toArray());
      yield* found;
      after = found.at(-1)?._id ?? after;
      if (found.length < BATCHES_AT_ONCE) return;
    }
  }

  async function idsOfTerms(
    day: number,
    document: SearchDayDocument | null,
    terms: readonly number[],
  ): Promise<string[] | undefined> {
    const found: string[] = [];
    for (const run of document?.runs ?? []) {
      for (const term of terms) {
        const own = await idsInRun(run, term);
        if (!own) return undefined;
        for (const id of own) found.push(id);
      }
    }
    for await (const { data } of batchesOf(day)) {
      for (const { id, terms: own } of decodeBatch(bufferOf(data))) {
        if (terms.some((term) => own.includes(term))) found.push(id);
      }
    }
    return found;
  }

  /**
   * Turns batches with such messages into a run without them. A concurrent merge of those batches finds the day
   * changed.
   */
  async function batchesWithout(day: number, gone: ReadonlySet<string>) {
    const ids: string[] = [];
    const kept: IndexedMessage[] = [];
    const removed = new Set<string>();
    for await (const { _id, data } of batchesOf(day)) {
      const all = [...decodeBatch(bufferOf(data))];
      if (!all.some(({ id }) => gone.has(id))) continue;
      ids.push(_id);
      kept.push(...all.filter(({ id }) => !gone.has(id)));
      for (const { id } of all) if (gone.has(id)) removed.add(id);
    }
    return { ids, kept, removed };
  }

  /** @returns the removed messages; undefined: another process has changed the day */
  async function rewrite(
    day: number,
    document: SearchDayDocument | null,
    { gone, now }: { readonly gone: ReadonlySet<string>; readonly now: Date },
  ): Promise<ReadonlySet<string> | undefined> {
    const { ids, kept, removed } = await batchesWithout(day, gone);
    const written: SearchRun[] = [];
    const former: SearchRun[] = [];
    const write = async (source: MergeSource) => {
      if (source.ids.length > 0) written.push(await stored.write(day, [source]));
    };
    if (kept.length > 0) await write(sourceOf(kept));
    for (const run of document?.runs ?? []) {
      const source = await stored.open(run);
      if (!source) return undefined;
      const own = source.ids.filter((id) => gone.has(id));
      if (own.length === 0) continue;
      for (const id of own) removed.add(id);
      former.push(run);
      await write(withoutIds(source, gone));
    }
    if (ids.length === 0 && former.length === 0) return removed;
    const formerIds = new Set(former.map(({ id }) => id));
    const runs = [...(document?.runs ?? []).filter(({ id }) => !formerIds.has(id)), ...written];
    if (!(await stored.name(day, document, runs, now))) {
      await stored.remove(written);
      return undefined;
    }
    await guarded(batches.deleteMany({ _id: { $in: ids } }));
    await stored.remove(former);
    return removed;
  }

  /** Restores entries of messages that were indexed shortly before and are stored only now. */
  async function addAgain(removed: readonly string[]): Promise<void> {
    for (let at = 0; at < removed.length; at += READ_AT_ONCE) {
      const { documents } = await readByIds(messages, removed.slice(at, at + READ_AT_ONCE));
      if (documents.length > 0) await add(documents);
    }
  }

  /** @returns the number of removed messages; undefined: another process has changed the day */
  async function forgetDay(day: number, { terms, until, now }: Forgotten): Promise<number | undefined> {
    const document = await guarded(days.findOne({ _id: day }));
    const ids = await idsOfTerms(day, document, terms);
    if (!ids) return undefined;
    const gone = await goneAmong(ids, until);
    // A notice belongs to the day of its message.
    const ofDay = new Set([...gone].filter((id) => dayOf(id) === day));
    if (ofDay.size === 0) return 0;
    const removed = await rewrite(day, document, { gone: ofDay, now });
    if (removed) await addAgain([...removed]);
    return removed?.size;
  }

  async function* allDays(until: Date): AsyncGenerator<number, void> {
    const last = Math.floor(until.getTime() / 86_400_000);
    const named = await guarded(days.find({ _id: { $lte: last } }, { projection: { _id: 1 } }).toArray());
    const known = new Set(named.map(({ _id }) => _id));
    for (let after = ""; ; ) {
      const next = batches.find(
        { _id: { $gt: after, $lt: dayPrefix(last + 1) } },
        { projection: { _id: 1 } },
      );
      const [found] = await guarded(next.sort({ _id: 1 }).limit(1).toArray());
      if (!found) break;
      const day = Number.parseInt(found._id, 10);
      known.add(day);
      after = dayPrefix(day + 1);
    }
    yield* known;
  }

  /**
   * @returns the number of removed messages on all days; undefined: other processes were active, and some entries may
   * be left
   * @throws Fault store.unavailable
   */
  return async ({ terms, until, now }: Forgotten): Promise<number | undefined> => {
    let count = 0;
    for await (const day of allDays(until)) {
      for (let attempt = 1; ; attempt++) {
        const removed = await forgetDay(day, { terms, until, now });
        if (removed !== undefined) {
          count += removed;
          break;
        }
        if (attempt === MAX_ATTEMPTS) return undefined;
      }
    }
    return count;
  };
}
