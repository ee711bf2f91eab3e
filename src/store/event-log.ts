import type { ClientSession, Collection, Db } from "mongodb";
import { createIdsInOrder } from "../shared/ids.ts";
import type { WebhookType } from "../shared/webhook-types.ts";
import { type EventPageDocument, entriesOf, eventPagesOf, LOGGED_MS } from "./journal/event-pages.ts";
import type { JournalEntry } from "./journal/journal-documents.ts";
import { readEach } from "./read-each.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";

/**
 * The order of the events of all accounts: `_id` is a number of 16 digits, and a document becomes visible before any with
 * a greater number. Each is the place of one page of message events, or one change of another resource.
 */
export type EventLogDocument = Placed & (LoggedPage | (Expiring & (LoggedChange | LoggedGroups)));

/** Contents of a place. */
export type Logged = LoggedPage | LoggedChange | LoggedGroups;

interface LoggedChange {
  readonly accountId: string;
  readonly change: OutboxEvent;
}

/** Message events in the form of schema version 9. */
export interface LoggedGroups {
  readonly groups: readonly {
    readonly accountId: string;
    readonly events: readonly { readonly id: string; readonly type: WebhookType; readonly at: Date }[];
  }[];
}

interface LoggedPage {
  /** Id of an `EventPageDocument`, which is removed before its place. */
  readonly page: string;
  /** Number of its events. */
  readonly events: number;
}

interface Placed {
  readonly _id: string;
  /** Time of the placing, by the clock of the process that placed it. */
  readonly at: Date;
}

interface Expiring {
  readonly expireAt: Date;
}

/** Without a place in the order yet. Those of one transaction keep their order. */
interface Unplaced {
  /** Ordered by time, within the accuracy of the clocks. */
  readonly _id: string;
}

export type UnplacedPageDocument = Unplaced & LoggedPage;

/** Programs of schema version 9 write and place them, too. */
export type UnplacedChangeDocument = Unplaced & LoggedChange;

export interface EventLog {
  /** Adds pages of message events, in the transaction that records that these are stored. */
  addPages(session: ClientSession, pages: readonly NewPage[]): Promise<void>;
  /** Records changes of an account's other resources, in the transaction that makes them. */
  addChanges(session: ClientSession, accountId: string, changes: readonly OutboxEvent[]): Promise<void>;
}

type NewPage = Pick<EventPageDocument, "_id" | "at" | "events">;

/** How far the event log is written and counted, in the collection of the installation's own documents. */
export interface SequenceDocument {
  readonly _id: string;
  readonly last: number;
  /**
   * The events up to this place were counted in the transactions that placed them, and later ones by a reader of the log.
   * Missing: all are counted so, as programs of schema version 12 do.
   */
  readonly countedThrough?: number;
}

export const SEQUENCE = "eventLog";
const DIGITS = 16;

/** The id of a position in the order. */
export function logId(position: number): string {
  return String(position).padStart(DIGITS, "0");
}

export function eventLogCollections(db: Db) {
  return {
    log: db.collection<EventLogDocument>("eventLog"),
    unplacedPages: db.collection<UnplacedPageDocument>("unplacedPages"),
    unplacedChanges: db.collection<UnplacedChangeDocument>("unplacedChanges"),
    sequences: db.collection<SequenceDocument>("installation"),
    pages: eventPagesOf(db),
  };
}

/** The event log for its writers. */
export function createEventLog(db: Db): EventLog {
  const { unplacedPages, unplacedChanges } = eventLogCollections(db);
  const nextId = createIdsInOrder("chg");
  return {
    async addPages(session, pages) {
      if (pages.length === 0) return;
      const documents = pages.map(({ _id: page, at, events }) => ({ _id: nextId(at), page, events }));
      await unplacedPages.insertMany(documents, { session });
    },

    async addChanges(session, accountId, changes) {
      if (changes.length === 0) return;
      const documents = changes.map((change) => ({ _id: nextId(change.at), accountId, change }));
      await unplacedChanges.insertMany(documents, { session });
    },
  };
}

/**
 * Returns the function that adds places to the log. A second transaction waits for the commit of the first one, or retries, so that
 * they become visible in order. It returns whether the transaction must count the added events, too.
 * @param isNew whether a log without places is one that a reader counts
 */
export function createAppend(db: Db) {
  const { log, sequences } = eventLogCollections(db);
  return async (session: ClientSession, contents: readonly Logged[], isNew = false): Promise<boolean> => {
    if (contents.length === 0) return false;
    const at = new Date();
    const expireAt = new Date(at.getTime() + LOGGED_MS);
    const change = {
      $inc: { last: contents.length },
      ...(isNew && { $setOnInsert: { countedThrough: 0 } }),
    };
    const options = { session, upsert: true, returnDocument: "after" } as const;
    const sequence = await sequences.findOneAndUpdate({ _id: SEQUENCE }, change, options);
    const { last = 0, countedThrough } = sequence ?? {};
    const first = last - contents.length + 1;
    const placed = contents.map((content, index): EventLogDocument => {
      const place = { _id: logId(first + index), at };
      return "page" in content ? { ...place, ...content } : { ...place, expireAt, ...content };
    });
    await log.insertMany(placed, { session });
    return countedThrough === undefined;
  };
}

/** The pages that these name, by id. Damaged ones are missing. */
export async function pagesOf(
  pages: Collection<EventPageDocument>,
  places: readonly { readonly _id: string; readonly page?: string }[],
): Promise<ReadonlyMap<string, readonly JournalEntry[]>> {
  const $in = places.flatMap(({ page }) => page ?? []);
  if ($in.length === 0) return new Map();
  const found = await readEach<EventPageDocument>((options) => pages.find({ _id: { $in } }, options));
  return new Map(found.documents.map((page) => [page._id, entriesOf(page) ?? []]));
}
