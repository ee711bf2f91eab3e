// No filter adds a write to each message: a search uses data that exist already. There is no filter by the time of an
// event, because it would cost an index entry for each event.

import type { Db, Filter } from "mongodb";
import { type MessageFilter, meetsFilter } from "../../message/search/filter.ts";
import { readByIds } from "../bucket.ts";
import type { MessageDocument } from "../message-documents.ts";
import { messageFault } from "../message-fault.ts";
import { createIsMigrated } from "../migrations/is-migrated.ts";
import { readEach } from "../read-each.ts";
import { readThroughOutage } from "../read-through-outage.ts";
import { guarded } from "../store-fault.ts";
import { candidates, type IdSpan } from "./candidates.ts";
import { including, namesIn, spanOf } from "./filter-ids.ts";
import { searchCollections } from "./search-documents.ts";
import { ownerOfHeaderId, type TermGroups, termsOfFilter } from "./terms.ts";

export interface MessagePage {
  readonly filter?: MessageFilter;
  /** Only messages older than this one. */
  readonly beforeId?: string;
  readonly limit: number;
}

export interface ListedMessages {
  readonly messages: readonly MessageDocument[];
  /** Start of the next page; undefined: this is the last page. */
  readonly nextBeforeId: string | undefined;
}

/** Number of messages read for one page. The page may then be short or empty without being the last. */
const EXAMINED_MAX = 3_000;
/** More than the maximum number of recipients of a submission. */
const SUBMISSION_MAX = 10_000;
/** Number of messages read by one command, so that other commands run in between. */
const SCANNED_AT_ONCE = 1_000;
const SCAN_GROWTH = 4;
const READ_AT_ONCE = 100;
/** The schema version since which all messages are in the index. */
const SEARCH_VERSION = 5;

/** Messages that were read, newest first, and the matches among them. */
interface Examined {
  readonly found: readonly MessageDocument[];
  readonly count: number;
  /** The last message that was read. */
  readonly lastId: string;
}

/** Limits of reading. */
interface Bounds {
  readonly beforeId: string | undefined;
  /** Requested number of matches. */
  readonly limit: number;
  /** Maximum number of messages without an index. */
  readonly most: number;
  /** Maximum number of these per command. */
  readonly atOnce: number;
}

const OF_PAGES = { most: EXAMINED_MAX, atOnce: SCANNED_AT_ONCE } as const;
/**
 * Small batches, so that they are short-lived: otherwise an export produces garbage as fast as its reader consumes
 * it.
 */
const OF_WHOLES = { most: Number.POSITIVE_INFINITY, atOnce: READ_AT_ONCE } as const;

/** Finds messages of one account, with the term index if the filter has indexed terms. */
export function createFindMessages(db: Db) {
  const messages = db.collection<MessageDocument>("messages");
  const collections = searchCollections(db);
  /** False: messages of an early release are not in the index yet. */
  const isIndexComplete = createIsMigrated(db, SEARCH_VERSION);

  /** With the index. */
  async function* examineIndexed(
    accountId: string,
    filter: MessageFilter,
    {
      groups,
      span,
      limit,
      also,
    }: { groups: TermGroups; span: IdSpan; limit: number; also?: string | undefined },
  ): AsyncGenerator<Examined, void> {
    let ids: string[] = [];
    const examine = async (): Promise<Examined> => {
      const { documents } = await readByIds(messages, ids, { faultOf: messageFault, owner: { accountId } });
      const found = newestFirst(documents.filter((message) => meetsFilter(message, filter)));
      const examined = { found, count: ids.length, lastId: ids.at(-1) ?? "" };
      ids = [];
      return examined;
    };
    let wanted = limit + 1;
    for await (const id of including(candidates(collections, groups, span), span, also)) {
      ids.push(id);
      if (ids.length < wanted) continue;
      yield await examine();
      wanted = READ_AT_ONCE;
    }
    if (ids.length > 0) yield await examine();
  }

  /** Without the index, newest first, with increasing batch sizes. */
  async function* examineAll(
    accountId: string,
    filter: MessageFilter,
    { span, limit, most, atOnce }: { span: IdSpan } & Omit<Bounds, "beforeId">,
  ): AsyncGenerator<Examined, void> {
    const find = (_id: object, { states }: MessageFilter, count: number) => {
      const wanted = { accountId, _id, ...(states && { state: { $in: [...states] } }) };
      return readEach<MessageDocument>(
        (options) =>
          messages
            .find(wanted as Filter<MessageDocument>, options)
            .sort({ _id: -1 })
            .limit(count),
        messageFault,
      );
    };
    let { before } = span;
    let left = most;
    for (let count = Math.min(limit + 1, left); left > 0; ) {
      const ids = messages.find(
        { accountId, _id: { $gte: span.since, $lt: before } },
        { projection: { _id: 1 } },
      );
      const [last] = await guarded(
        ids
          .sort({ _id: -1 })
          .skip(count - 1)
          .limit(1)
          .toArray(),
      );
      const lastId = last?._id ?? span.since;
      const { documents } = await find({ $gte: lastId, $lt: before }, filter, count);
      yield { found: documents.filter((message) => meetsFilter(message, filter)), count, lastId };
      if (!last) return;
      before = lastId;
      left -= count;
      count = Math.min(count * SCAN_GROWTH, atOnce, left);
    }
  }

  /** Messages of a submission: few enough to sort them here. */
  async function examineSubmission(
    accountId: string,
    filter: MessageFilter,
    { traceId, span }: { readonly traceId: string; readonly span: IdSpan },
  ): Promise<Examined> {
    const { documents } = await readEach<MessageDocument>(
      (options) => messages.find({ traceId, accountId }, options).limit(SUBMISSION_MAX),
      messageFault,
    );
    const within = documents.filter(({ _id }) => _id >= span.since && _id < span.before);
    const found = newestFirst(within.filter((message) => meetsFilter(message, filter)));
    return { found, count: 0, lastId: "" };
  }

  async function* examine(
    accountId: string,
    filter: MessageFilter,
    { beforeId, ...bounds }: Bounds,
  ): AsyncGenerator<Examined, void> {
    const span = spanOf(filter, beforeId);
    const { messageId, traceId, headerId } = namesIn(filter);
    if (messageId !== undefined) {
      if (messageId < span.since || messageId >= span.before) return;
      const { documents } = await readByIds(messages, [messageId], {
        faultOf: messageFault,
        owner: { accountId },
      });
      yield {
        found: documents.filter((message) => meetsFilter(message, filter)),
        count: 1,
        lastId: messageId,
      };
      return;
    }
    if (traceId !== undefined) {
      yield await examineSubmission(accountId, filter, { traceId, span });
      return;
    }
    const groups = termsOfFilter(accountId, filter);
    if (groups.length > 0 && (await isIndexComplete())) {
      // The index contains Message-ID fields that are not derived from the message's id.
      const also = headerId === undefined ? undefined : ownerOfHeaderId(headerId);
      yield* examineIndexed(accountId, filter, { groups, span, limit: bounds.limit, also });
      return;
    }
    yield* examineAll(accountId, filter, { span, ...bounds });
  }

  /** Unreadable messages are left out. @throws Fault store.unavailable */
  async function list(
    accountId: string,
    { filter = {}, beforeId, limit }: MessagePage,
  ): Promise<ListedMessages> {
    const page: MessageDocument[] = [];
    let left = EXAMINED_MAX;
    const examined = examine(accountId, filter, { beforeId, limit, ...OF_PAGES });
    for await (const { found, count, lastId } of examined) {
      page.push(...found);
      left -= count;
      if (page.length > limit) break;
      if (left <= 0) return { messages: page, nextBeforeId: lastId };
    }
    const isMore = page.length > limit;
    const listed = page.slice(0, limit);
    return { messages: listed, nextBeforeId: isMore ? listed.at(-1)?._id : undefined };
  }

  async function* all(
    accountId: string,
    filter: MessageFilter,
  ): AsyncGenerator<readonly MessageDocument[], void> {
    const examineBefore = (beforeId?: string) =>
      examine(accountId, filter, { beforeId, limit: READ_AT_ONCE, ...OF_WHOLES });
    let beforeId: string | undefined;
    let examined = examineBefore();
    try {
      for (;;) {
        const { value, done } = await readThroughOutage(async () => {
          try {
            return await examined.next();
          } catch (error) {
            examined = examineBefore(beforeId);
            throw error;
          }
        });
        if (done) return;
        beforeId = value.lastId;
        yield value.found;
      }
    } finally {
      await examined.return(undefined);
    }
  }

  /** Number of messages accepted in a time range, up to a limit: counted in an index, including unreadable ones. */
  function countSpan(accountId: string, filter: MessageFilter, limit: number): Promise<number> {
    const { since, before } = spanOf(filter, undefined);
    return guarded(messages.countDocuments({ accountId, _id: { $gte: since, $lt: before } }, { limit }));
  }

  return { list, all, countSpan };
}

function newestFirst(documents: MessageDocument[]): MessageDocument[] {
  return documents.sort((a, b) => (a._id < b._id ? 1 : -1));
}
