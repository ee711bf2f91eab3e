import type { ClientSession, Db } from "mongodb";
import { createIdsInOrder } from "../shared/ids.ts";
import { type WebhookType, webhookTypeOf } from "../shared/webhook-types.ts";
import { eventIdOf, type JournalEntry } from "./journal/journal-documents.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";

/**
 * Events of all accounts in one order: `_id` is a number of 16 digits, and a document becomes visible before any with
 * a greater number. Each contains message events that were counted together, or one change of another resource.
 */
export type EventLogDocument = MessageEventsDocument | ChangeDocument;

interface LogDocument {
  readonly _id: string;
  /** Time of the write, by the process's clock. */
  readonly at: Date;
  readonly expireAt: Date;
}

export interface MessageEventsDocument extends LogDocument {
  readonly groups: readonly AccountEvents[];
}

export interface AccountEvents {
  readonly accountId: string;
  readonly events: readonly MessageEventEntry[];
}

export interface MessageEventEntry {
  /** Id from `eventId`. */
  readonly id: string;
  readonly type: WebhookType;
  readonly at: Date;
}

export interface ChangeDocument extends LogDocument {
  readonly accountId: string;
  readonly change: OutboxEvent;
}

/** A change without a position in the order yet. Changes of one transaction keep their order. */
export interface UnplacedChangeDocument {
  /** Ordered by time, within the accuracy of the clocks. */
  readonly _id: string;
  readonly accountId: string;
  readonly change: OutboxEvent;
}

export interface EventLog {
  /** Adds message events, in the transaction that counts them. */
  addHappened(session: ClientSession, happened: readonly JournalEntry[]): Promise<void>;
  /**
   * Records changes of an account's other resources, in the transaction that makes them. They get a position later:
   * positions come from one counter of the whole installation, and transactions of many accounts would conflict over
   * it.
   */
  addChanges(session: ClientSession, accountId: string, changes: readonly OutboxEvent[]): Promise<void>;
  /** Assigns positions to all changes without one, of any process. @throws Fault store.unavailable */
  orderChanges(): Promise<void>;
}

type Contents<D extends LogDocument> = Omit<D, keyof LogDocument>;

interface SequenceDocument {
  readonly _id: string;
  readonly last: number;
}

const KEPT_MS = 3 * 86_400_000;
const SEQUENCE = "eventLog";
const DIGITS = 16;
/** Maximum number of events of one document: about 300 KB. */
const MAX_EVENTS = 2_000;
/** Maximum number of changes placed in one transaction. */
const MAX_PLACED = 500;

/** The id of a position in the order. */
export function logId(position: number): string {
  return String(position).padStart(DIGITS, "0");
}

function collectionsOf(db: Db) {
  return {
    log: db.collection<EventLogDocument>("eventLog"),
    unplaced: db.collection<UnplacedChangeDocument>("unplacedChanges"),
    sequences: db.collection<SequenceDocument>("installation"),
  };
}

export function createEventLog(db: Db): EventLog {
  const { log, unplaced, sequences } = collectionsOf(db);
  const nextId = createIdsInOrder("chg");

  /** A second writer waits for the first one's commit, or retries, so that documents become visible in order. */
  async function append(
    session: ClientSession,
    contents: readonly (Contents<MessageEventsDocument> | Contents<ChangeDocument>)[],
  ): Promise<void> {
    if (contents.length === 0) return;
    const at = new Date();
    const stamped = { at, expireAt: new Date(at.getTime() + KEPT_MS) };
    const $inc = { last: contents.length };
    const options = { session, upsert: true, returnDocument: "after" } as const;
    const { last = 0 } = (await sequences.findOneAndUpdate({ _id: SEQUENCE }, { $inc }, options)) ?? {};
    const first = last - contents.length + 1;
    await log.insertMany(
      contents.map((content, index) => ({ _id: logId(first + index), ...stamped, ...content })),
      { session },
    );
  }

  /** False: another process has placed some of them, and none was placed here. */
  async function order(found: readonly UnplacedChangeDocument[]): Promise<boolean> {
    const _id = { $in: found.map((one) => one._id) };
    const placing = inTransaction(db.client, async (session) => {
      const { deletedCount } = await unplaced.deleteMany({ _id }, { session });
      if (deletedCount < found.length) throw new PlacedMeanwhileError();
      const changes = found.map(({ accountId, change }) => ({ accountId, change }));
      await append(session, changes);
    });
    try {
      await placing;
      return true;
    } catch (error) {
      if (error instanceof PlacedMeanwhileError) return false;
      throw error;
    }
  }

  return {
    addHappened: (session, happened) => append(session, groupsOf(happened)),

    async addChanges(session, accountId, changes) {
      if (changes.length === 0) return;
      const documents = changes.map((change) => ({ _id: nextId(change.at), accountId, change }));
      await unplaced.insertMany(documents, { session });
    },

    async orderChanges() {
      for (;;) {
        const { documents: found } = await readEach<UnplacedChangeDocument>((options) =>
          unplaced.find({}, options).sort({ _id: 1 }).limit(MAX_PLACED),
        );
        if (found.length === 0) return;
        const isPlaced = await guarded(order(found));
        if (isPlaced && found.length < MAX_PLACED) return;
      }
    },
  };
}

class PlacedMeanwhileError extends Error {
  override readonly name = "PlacedMeanwhileError";
}

/** Groups by document, and within each by account. */
function groupsOf(happened: readonly JournalEntry[]): Contents<MessageEventsDocument>[] {
  const events = happened.flatMap((entry) => {
    const type = entry.accountId === "" ? undefined : webhookTypeOf(entry.kind);
    return type === undefined ? [] : [{ entry, type }];
  });
  const documents: Contents<MessageEventsDocument>[] = [];
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    const byAccount = new Map<string, MessageEventEntry[]>();
    for (const { entry, type } of events.slice(from, from + MAX_EVENTS)) {
      const { accountId, at } = entry;
      const events = byAccount.get(accountId) ?? [];
      events.push({ id: eventIdOf(entry), type, at });
      byAccount.set(accountId, events);
    }
    documents.push({ groups: [...byAccount].map(([accountId, events]) => ({ accountId, events })) });
  }
  return documents;
}

/** The event log for its readers. */
export function createEventLogStore(db: Db, { orderChanges }: Pick<EventLog, "orderChanges">) {
  const { log, sequences } = collectionsOf(db);

  return {
    acrossAccounts: {
      orderChanges,

      /** Documents after a position, in order. Damaged documents are left out. */
      async list(after: number, limit: number): Promise<Found<EventLogDocument>> {
        return readEach<EventLogDocument>((options) =>
          log
            .find({ _id: { $gt: logId(after) } }, options)
            .sort({ _id: 1 })
            .limit(limit),
        );
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
