import type { ClientSession, Db } from "mongodb";
import { idBound } from "../shared/ids.ts";
import { insertMissing } from "./insert-missing.ts";
import { readEach } from "./read-each.ts";
import { createRequestCounterWriter } from "./request-counters.ts";
import { guarded, isRefused } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** A request with a key, or several similar ones. No field contains data from the request itself. */
export interface RequestEntry {
  /** Time of arrival. */
  readonly at: Date;
  /** Empty, like route and method, for an entry that only counts requests. */
  readonly keyId: string;
  readonly method: string;
  /** Pattern of its path. */
  readonly route: string;
  /** HTTP status; 0: an entry that only counts requests. */
  readonly status: number;
  /** Code of the problem. Missing: none. */
  readonly code?: string;
  readonly traceId: string;
  readonly messageId?: string;
  readonly durationMs: number;
  readonly clientAddress: string;
  readonly bodyBytes: number;
  readonly replayed?: true;
  /** Number of requests. Missing: one. */
  readonly count?: number;
}

/** Requests of one account that a front end has stored together. Written once, never changed. */
export interface RequestsDocument {
  /** Begins with the time of the latest request. */
  readonly _id: string;
  readonly accountId: string;
  /** In the order of arrival, all within `REQUESTS_SPAN_MS`. */
  readonly entries: readonly RequestEntry[];
  /** Search marks of all entries: see `markOf`. */
  readonly marks: readonly string[];
  readonly expireAt: Date;
}

/** Maximum time span of the requests in one document. */
export const REQUESTS_SPAN_MS = 1_000;

export interface RequestsPage {
  /** Only documents with this mark; undefined: all. */
  readonly mark?: string | undefined;
  /** Only documents with possible requests at or after this time. */
  readonly from?: Date | undefined;
  /** Only documents with possible requests before this time. */
  readonly until?: Date | undefined;
  /** Up to this document, inclusive. */
  readonly upTo?: string | undefined;
  /** After this document in the list, exclusive. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One document, or the placeholder of a damaged one. */
export type FoundRequests = Pick<RequestsDocument, "_id" | "entries">;

/** A mark for the search index. A search uses one mark and filters the rest. */
export function markOf(kind: "key" | "route" | "status" | "code", value: string | number): string {
  return `${kind} ${value}`;
}

/** For example `4xx` for 422. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

export function marksOf(entries: readonly RequestEntry[]): string[] {
  const marks = new Set<string>();
  for (const { keyId, route, status, code } of entries) {
    if (route === "") continue;
    marks.add(markOf("key", keyId));
    marks.add(markOf("route", route));
    marks.add(markOf("status", status));
    marks.add(markOf("status", statusClass(status)));
    if (code !== undefined) marks.add(markOf("code", code));
  }
  return [...marks];
}

/** The request log: documents are stored in batches, and read here. */
export function createRequestStore(db: Db) {
  const requests = db.collection<RequestsDocument>("requests");
  const count = createRequestCounterWriter(db);
  const SHOWN = { projection: { accountId: 1, entries: 1 } } as const;

  async function insertInTransaction(session: ClientSession, documents: readonly RequestsDocument[]) {
    const named = { _id: { $in: documents.map(({ _id }) => _id) } };
    const found = await requests.find(named, { projection: { _id: 1 }, session }).toArray();
    const present = new Set(found.map(({ _id }) => _id));
    const missing = documents.filter(({ _id }) => !present.has(_id));
    if (missing.length === 0) return;
    await requests.insertMany(missing, { session });
    await count(session, missing);
  }

  async function insertCounted(documents: readonly RequestsDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const insert = (session: ClientSession) => insertInTransaction(session, documents);
    try {
      // A concurrent repetition inserts the same ids: a retry reads them.
      await guarded(inTransaction(db.client, insert, { retryDuplicates: true }));
    } catch (error) {
      if (!isRefused(error)) throw error;
      // A counter is damaged: the log of its account continues without it, and those of the others with theirs.
      if (documents.length === 1) await insertMissing(requests, documents);
      else for (const one of documents) await insertCounted([one]);
    }
  }

  return {
    forAccount: (accountId: string) => ({
      /** Newest first. Fewer than the limit: there are no others. */
      async list({ mark, limit, from, ...within }: RequestsPage): Promise<FoundRequests[]> {
        const filter = { accountId, ...(mark !== undefined && { marks: mark }), ...rangeOf(within) };
        const { documents, unreadable } = await readEach<RequestsDocument>((options) =>
          requests
            .find(filter, { ...SHOWN, ...options })
            .sort({ _id: -1 })
            .limit(limit),
        );
        const damaged = unreadable.map(({ id }) => ({ _id: id, entries: [] }));
        // Not part of the query: with an index that contains lists, the engine uses only one bound.
        const first = from ? idBound("req", from) : "";
        return [...documents, ...damaged]
          .filter(({ _id }) => _id >= first)
          .sort((a, b) => (a._id > b._id ? -1 : 1));
      },

      /** Null: there is none with this id, or it is damaged. */
      async find(id: string): Promise<FoundRequests | null> {
        const { documents } = await readEach<RequestsDocument>((options) =>
          requests.find({ _id: id, accountId }, { ...SHOWN, ...options }).limit(1),
        );
        return documents[0] ?? null;
      },
    }),

    acrossAccounts: {
      /** Stores and counts requests. Existing documents stay unchanged, and are not counted again. */
      insertMissing: insertCounted,
    },
  };
}

/** Ids begin with their time, so a time range and a list position are ranges of ids. */
function rangeOf({ until, upTo, before }: Pick<RequestsPage, "until" | "upTo" | "before">) {
  const latest = until && idBound("req", new Date(until.getTime() + REQUESTS_SPAN_MS));
  const end = [before, latest].filter((one) => one !== undefined).toSorted()[0];
  if (upTo !== undefined && (end === undefined || upTo < end)) return { _id: { $lte: upTo } };
  return end === undefined ? {} : { _id: { $lt: end } };
}
