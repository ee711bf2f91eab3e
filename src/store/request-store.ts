import type { Db } from "mongodb";
import { idBound } from "../shared/ids.ts";
import { insertMissing } from "./insert-missing.ts";
import { readEach } from "./read-each.ts";

/** A request that was made with a key, or several that were like each other. There is no field for anything that it brought along. */
export interface RequestEntry {
  /** When it came. */
  readonly at: Date;
  /** Empty, as route and method, where nothing is known but how many there were. */
  readonly keyId: string;
  readonly method: string;
  /** The pattern of its path. */
  readonly route: string;
  /** HTTP status; 0: as above. */
  readonly status: number;
  /** The problem's code; missing: there was none. */
  readonly code?: string;
  readonly traceId: string;
  readonly messageId?: string;
  readonly durationMs: number;
  readonly clientAddress: string;
  readonly bodyBytes: number;
  readonly replayed?: true;
  /** How many it stands for; missing: itself. */
  readonly count?: number;
}

/** Requests of one account that a front end has handed over together: written once, never changed. */
export interface RequestsDocument {
  /** Begins with the time of the latest of them. */
  readonly _id: string;
  readonly accountId: string;
  /** In the order in which they came, all within `REQUESTS_SPAN_MS`. */
  readonly entries: readonly RequestEntry[];
  /** What searches may ask for, of any of the entries: see `markOf`. */
  readonly marks: readonly string[];
  readonly expireAt: Date;
}

/** The requests of one document came within so long. */
export const REQUESTS_SPAN_MS = 1_000;

export interface RequestsPage {
  /** Only documents with this mark; undefined: all. */
  readonly mark?: string | undefined;
  /** Documents that may have requests from this time on. */
  readonly from?: Date | undefined;
  /** Documents that may have requests before this time. */
  readonly until?: Date | undefined;
  /** Not behind this document, which is among them. */
  readonly upTo?: string | undefined;
  /** Behind this document. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One document, or the place of one that is damaged. */
export type FoundRequests = Pick<RequestsDocument, "_id" | "entries">;

/** What can be looked for by an index: one mark, whatever else is asked for. */
export function markOf(kind: "key" | "route" | "status" | "code", value: string | number): string {
  return `${kind} ${value}`;
}

/** `4xx` of 422. */
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

/** The log of requests: documents come in by the batch, and are read here. */
export function createRequestStore(db: Db) {
  const requests = db.collection<RequestsDocument>("requests");
  const SHOWN = { projection: { accountId: 1, entries: 1 } } as const;

  return {
    forAccount: (accountId: string) => ({
      /** Newest first; fewer than the limit: there are no others. */
      async list({ mark, limit, from, ...within }: RequestsPage): Promise<FoundRequests[]> {
        const filter = { accountId, ...(mark !== undefined && { marks: mark }), ...placeOf(within) };
        const { documents, unreadable } = await readEach<RequestsDocument>((options) =>
          requests
            .find(filter, { ...SHOWN, ...options })
            .sort({ _id: -1 })
            .limit(limit),
        );
        const damaged = unreadable.map(({ id }) => ({ _id: id, entries: [] }));
        // Not part of the query: of an index with lists in it, the engine uses one bound alone.
        const first = from ? idBound("req", from) : "";
        return [...documents, ...damaged]
          .filter(({ _id }) => _id >= first)
          .sort((a, b) => (a._id > b._id ? -1 : 1));
      },

      /** Null: there is none of this id, or it is damaged. */
      async find(id: string): Promise<FoundRequests | null> {
        const { documents } = await readEach<RequestsDocument>((options) =>
          requests.find({ _id: id, accountId }, { ...SHOWN, ...options }).limit(1),
        );
        return documents[0] ?? null;
      },
    }),

    acrossAccounts: {
      /** Those whose ids are there already stay as they are. */
      insertMissing: async (documents: readonly RequestsDocument[]): Promise<void> => {
        await insertMissing(requests, documents);
      },
    },
  };
}

/** Ids begin with their time: a span of time, and a place in the list, are a range of ids. */
function placeOf({ until, upTo, before }: Pick<RequestsPage, "until" | "upTo" | "before">) {
  const latest = until && idBound("req", new Date(until.getTime() + REQUESTS_SPAN_MS));
  const end = [before, latest].filter((one) => one !== undefined).toSorted()[0];
  if (upTo !== undefined && (end === undefined || upTo < end)) return { _id: { $lte: upTo } };
  return end === undefined ? {} : { _id: { $lt: end } };
}
