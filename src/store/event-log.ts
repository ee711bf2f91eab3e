import type { ClientSession, Db } from "mongodb";
import { createIdsInOrder } from "../shared/ids.ts";
import { webhookTypeOf } from "../shared/webhook-types.ts";
import { type EventPageDocument, entriesOf, eventPagesOf, TOLD_MS } from "./journal/event-pages.ts";
import { eventIdOf } from "./journal/journal-documents.ts";
import { withNamedLock, withNamedLockIfFree } from "./named-lock.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { OutboxEvent, WebhookDeliveryDocument } from "./webhook-delivery-documents.ts";

/**
 * The order of the events of all accounts: `_id` is a number of 16 digits, and a document becomes visible before any with
 * a greater number. Each is the place of one page of message events, or one change of another resource.
 */
export type EventLogDocument = Placed & Told;

type Told =
  /** Id of an `EventPageDocument`. */
  { readonly page: string } | { readonly accountId: string; readonly change: OutboxEvent };

interface Placed {
  readonly _id: string;
  /** Time of the placing, by the clock of the process that placed it. */
  readonly at: Date;
  readonly expireAt: Date;
}

/** A page or change without a place in the order yet. Those of one transaction keep their order. */
export type UnplacedDocument = Told & {
  /** Ordered by time, within the accuracy of the clocks. */
  readonly _id: string;
};

export interface EventLog {
  /** Adds pages of message events, in the transaction that counts the events. */
  addPages(session: ClientSession, pages: readonly Pick<EventPageDocument, "_id" | "at">[]): Promise<void>;
  /** Records changes of an account's other resources, in the transaction that makes them. */
  addChanges(session: ClientSession, accountId: string, changes: readonly OutboxEvent[]): Promise<void>;
  /**
   * Gives everything without a place its place, whichever process has added it. Places come from one counter, which only the
   * process with the turn increments: transactions that add something would conflict over it.
   * @throws Fault store.unavailable
   */
  place(): Promise<void>;
  /** As `place`, or nothing while another process has the turn. @throws Fault store.unavailable */
  placeIfFree(): Promise<void>;
}

interface SequenceDocument {
  readonly _id: string;
  readonly last: number;
}

const SEQUENCE = "eventLog";
const TURN = "eventLogTurn";
const DIGITS = 16;
/** Maximum number of places of one transaction. */
const MAX_PLACED = 500;

/** The id of a position in the order. */
export function logId(position: number): string {
  return String(position).padStart(DIGITS, "0");
}

function collectionsOf(db: Db) {
  return {
    log: db.collection<EventLogDocument>("eventLog"),
    unplaced: db.collection<UnplacedDocument>("unplacedEvents"),
    sequences: db.collection<SequenceDocument>("installation"),
  };
}

export function createEventLog(db: Db): EventLog {
  const { log, unplaced, sequences } = collectionsOf(db);
  const nextId = createIdsInOrder("chg");

  const findUnplaced = () =>
    readEach<UnplacedDocument>((options) => unplaced.find({}, options).sort({ _id: 1 }).limit(MAX_PLACED));

  async function append(session: ClientSession, told: readonly Told[]): Promise<void> {
    const at = new Date();
    const stamped = { at, expireAt: new Date(at.getTime() + TOLD_MS) };
    const $inc = { last: told.length };
    const options = { session, upsert: true, returnDocument: "after" } as const;
    const { last = 0 } = (await sequences.findOneAndUpdate({ _id: SEQUENCE }, { $inc }, options)) ?? {};
    const first = last - told.length + 1;
    const placed = told.map((one, index) => ({ _id: logId(first + index), ...stamped, ...one }));
    await log.insertMany(placed, { session });
  }

  /** False: another process has placed some of them, and none was placed here. */
  async function appendAll(found: readonly UnplacedDocument[]): Promise<boolean> {
    const _id = { $in: found.map((one) => one._id) };
    const placing = inTransaction(db.client, async (session) => {
      const { deletedCount } = await unplaced.deleteMany({ _id }, { session });
      if (deletedCount < found.length) throw new PlacedMeanwhileError();
      await append(
        session,
        found.map(({ _id: _, ...told }) => told),
      );
    });
    try {
      await placing;
      return true;
    } catch (error) {
      if (error instanceof PlacedMeanwhileError) return false;
      throw error;
    }
  }

  async function placeAll(): Promise<void> {
    for (;;) {
      const { documents: found } = await findUnplaced();
      if (found.length === 0) return;
      const isPlaced = await guarded(appendAll(found));
      if (isPlaced && found.length < MAX_PLACED) return;
    }
  }

  async function isPlaced(): Promise<boolean> {
    return (await guarded(unplaced.findOne({}, { projection: { _id: 1 } }))) === null;
  }

  return {
    async addPages(session, pages) {
      if (pages.length === 0) return;
      await unplaced.insertMany(
        pages.map(({ _id: page, at }) => ({ _id: nextId(at), page })),
        { session },
      );
    },

    async addChanges(session, accountId, changes) {
      if (changes.length === 0) return;
      const documents = changes.map((change) => ({ _id: nextId(change.at), accountId, change }));
      await unplaced.insertMany(documents, { session });
    },

    async place() {
      if (!(await isPlaced())) await withNamedLock(db, TURN, placeAll);
    },

    async placeIfFree() {
      if (!(await isPlaced())) await withNamedLockIfFree(db, TURN, placeAll);
    },
  };
}

class PlacedMeanwhileError extends Error {
  override readonly name = "PlacedMeanwhileError";
}

/** An event of the log: of a message, or of another subject. */
export type ToldEvent = Pick<WebhookDeliveryDocument, "eventId" | "type" | "at" | "accountId" | "messageId"> &
  Partial<Pick<OutboxEvent, "subject">>;

/** The events at one position. */
export interface ToldEvents {
  readonly _id: string;
  readonly events: readonly ToldEvent[];
}

/** The event log for its readers. */
export function createEventLogStore(db: Db, { place, placeIfFree }: Pick<EventLog, "place" | "placeIfFree">) {
  const { log, sequences } = collectionsOf(db);
  const pages = eventPagesOf(db);

  async function pagesOf(
    documents: readonly EventLogDocument[],
  ): Promise<ReadonlyMap<string, EventPageDocument>> {
    const $in = documents.flatMap((one) => ("page" in one ? one.page : []));
    if ($in.length === 0) return new Map();
    const found = await readEach<EventPageDocument>((options) => pages.find({ _id: { $in } }, options));
    return new Map(found.documents.map((page) => [page._id, page]));
  }

  return {
    acrossAccounts: {
      place,
      placeIfFree,

      /** Positions after another one, in order, with their events. Damaged documents are left out. */
      async list(after: number, limit: number): Promise<Found<ToldEvents>> {
        const found = await readEach<EventLogDocument>((options) =>
          log
            .find({ _id: { $gt: logId(after) } }, options)
            .sort({ _id: 1 })
            .limit(limit),
        );
        const byId = await pagesOf(found.documents);
        const documents = found.documents.map((one) => ({ _id: one._id, events: eventsOf(one, byId) }));
        return { documents, unreadable: found.unreadable };
      },

      /** Position of the first document written at or after a time; undefined: there is none. */
      async positionAt(from: Date): Promise<number | undefined> {
        const found = await guarded(
          log
            .find({ at: { $gte: from } }, { projection: { _id: 1 } })
            .sort({ at: 1, _id: 1 })
            .limit(1)
            .toArray(),
        );
        return found[0] && Number(found[0]._id);
      },

      /** The last assigned position, and the first stored one; `last + 1`: none is stored. */
      async bounds(): Promise<{ readonly first: number; readonly last: number }> {
        const oldest = log
          .find({}, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(1)
          .toArray();
        const [first] = await guarded(oldest);
        // Queried second: documents that are added in between are after both.
        const { last = 0 } = (await guarded(sequences.findOne({ _id: SEQUENCE }))) ?? {};
        return { first: first ? Number(first._id) : last + 1, last };
      },
    },
  };
}

function eventsOf(
  document: EventLogDocument,
  pages: ReadonlyMap<string, EventPageDocument>,
): readonly ToldEvent[] {
  if ("change" in document) return [{ ...document.change, accountId: document.accountId }];
  const page = pages.get(document.page);
  return ((page && entriesOf(page)) ?? []).flatMap((entry) => {
    const { accountId, messageId, kind, at } = entry;
    const type = accountId === "" ? undefined : webhookTypeOf(kind);
    return type === undefined ? [] : [{ eventId: eventIdOf(entry), type, at, accountId, messageId }];
  });
}
