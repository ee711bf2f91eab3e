import type { ClientSession, Db } from "mongodb";
import { createIdsInOrder } from "../shared/ids.ts";
import { toldType, type WebhookType } from "../shared/webhook-types.ts";
import { type JournalEntry, toldId } from "./journal/journal-documents.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { ToldChange } from "./webhook-delivery-documents.ts";

/**
 * What has happened, in one order for all accounts: `_id` is a number of 16 digits, and a document with a smaller one comes to
 * light before any with a greater one. Each has what was counted together of messages, or one change to something else.
 */
export type EventLogDocument = MessageEventsDocument | ChangeDocument;

interface LogDocument {
  readonly _id: string;
  /** When it was written, by its process's clock. */
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
  /** As `eventId` makes it. */
  readonly id: string;
  readonly type: WebhookType;
  readonly at: Date;
}

export interface ChangeDocument extends LogDocument {
  readonly accountId: string;
  readonly change: ToldChange;
}

/** A change that has no place in the order yet. Those of one transaction are placed in their order. */
export interface UnplacedChangeDocument {
  /** In the order of time, as far as clocks agree. */
  readonly _id: string;
  readonly accountId: string;
  readonly change: ToldChange;
}

export interface EventLog {
  /** Adds what has happened to messages, in the transaction that counts it. */
  addHappened(session: ClientSession, happened: readonly JournalEntry[]): Promise<void>;
  /**
   * Notes changes to what else an account has, in the transaction that makes them. They are placed later: a place is one number for the
   * whole installation, and transactions of many accounts would be in each other's way over it.
   */
  addChanges(session: ClientSession, accountId: string, changes: readonly ToldChange[]): Promise<void>;
  /** Gives those that have none their places, whoever has noted them. @throws Fault store.unavailable */
  placeChanges(): Promise<void>;
}

type Contents<D extends LogDocument> = Omit<D, keyof LogDocument>;

interface SequenceDocument {
  readonly _id: string;
  readonly last: number;
}

const KEPT_MS = 3 * 86_400_000;
const SEQUENCE = "eventLog";
const DIGITS = 16;
/** Of one document: some 300 KB. */
const MAX_EVENTS = 2_000;
/** Placed in one transaction. */
const MAX_PLACED = 500;

/** The place of a number in the order. */
export function logId(place: number): string {
  return String(place).padStart(DIGITS, "0");
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

  /** Whoever comes second waits for the first one's commit, or begins again: nothing comes to light before what it follows. */
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

  /** False: another process has placed some of them, and none was placed. */
  async function place(found: readonly UnplacedChangeDocument[]): Promise<boolean> {
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

    async placeChanges() {
      for (;;) {
        const { documents: found } = await readEach<UnplacedChangeDocument>((options) =>
          unplaced.find({}, options).sort({ _id: 1 }).limit(MAX_PLACED),
        );
        if (found.length === 0) return;
        const isPlaced = await guarded(place(found));
        if (isPlaced && found.length < MAX_PLACED) return;
      }
    },
  };
}

class PlacedMeanwhileError extends Error {
  override readonly name = "PlacedMeanwhileError";
}

/** By documents, and in each by accounts. */
function groupsOf(happened: readonly JournalEntry[]): Contents<MessageEventsDocument>[] {
  const told = happened.flatMap((entry) => {
    const type = entry.accountId === "" ? undefined : toldType(entry.kind);
    return type === undefined ? [] : [{ entry, type }];
  });
  const documents: Contents<MessageEventsDocument>[] = [];
  for (let from = 0; from < told.length; from += MAX_EVENTS) {
    const byAccount = new Map<string, MessageEventEntry[]>();
    for (const { entry, type } of told.slice(from, from + MAX_EVENTS)) {
      const { accountId, at } = entry;
      const events = byAccount.get(accountId) ?? [];
      events.push({ id: toldId(entry), type, at });
      byAccount.set(accountId, events);
    }
    documents.push({ groups: [...byAccount].map(([accountId, events]) => ({ accountId, events })) });
  }
  return documents;
}

/** The log, as those read it who follow it. */
export function createEventLogStore(db: Db, { placeChanges }: Pick<EventLog, "placeChanges">) {
  const { log, sequences } = collectionsOf(db);

  return {
    acrossAccounts: {
      placeChanges,

      /** Documents behind a place, in their order; what is damaged is left out. */
      async list(after: number, limit: number): Promise<Found<EventLogDocument>> {
        return readEach<EventLogDocument>((options) =>
          log
            .find({ _id: { $gt: logId(after) } }, options)
            .sort({ _id: 1 })
            .limit(limit),
        );
      },

      /** The place of the first document that was written at that time or later; undefined: there is none. */
      async placeAt(from: Date): Promise<number | undefined> {
        const found = await guarded(
          log
            .find({ at: { $gte: from } }, { projection: { _id: 1 } })
            .sort({ at: 1, _id: 1 })
            .limit(1)
            .toArray(),
        );
        return found[0] && Number(found[0]._id);
      },

      /** The last place that was given, and the first that is kept; `last + 1`: none is. */
      async bounds(): Promise<{ readonly first: number; readonly last: number }> {
        const oldest = log
          .find({}, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(1)
          .toArray();
        const [first] = await guarded(oldest);
        // Asked for after it: what is added meanwhile lies behind both.
        const { last = 0 } = (await guarded(sequences.findOne({ _id: SEQUENCE }))) ?? {};
        return { first: first ? Number(first._id) : last + 1, last };
      },
    },
  };
}
