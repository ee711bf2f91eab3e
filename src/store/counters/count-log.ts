import type { ClientSession, Db, Filter, UpdateFilter } from "mongodb";
import {
  type EventLogDocument,
  eventLogCollections,
  logId,
  pagesOf,
  SEQUENCE,
  type SequenceDocument,
} from "../event-log.ts";
import type { JournalEntry } from "../journal/journal-documents.ts";
import { withNamedLockIfFree } from "../named-lock.ts";
import { foundIds, readEach } from "../read-each.ts";
import { guarded, isUnreadable, storeFault } from "../store-fault.ts";
import { inTransaction } from "../transaction.ts";
import type { CountEvents } from "./count-events.ts";

/**
 * Counts the message events of the event log: a reader of it with a position of its own. It reads a range of places, groups
 * their events by account, and counts some accounts in each transaction, which also moves the position. The further it
 * is behind, the more events of an account are in a range, and the fewer writes each of them needs.
 */
export interface CountLog {
  /**
   * Counts for some seconds, or nothing while another process does so: transactions of two would conflict.
   * @throws Fault store.unavailable: a repetition counts nothing twice
   */
  countSome(): Promise<void>;
  /** Time of the placing of the first uncounted events. Undefined: all are counted. @throws Fault store.unavailable */
  firstUncounted(): Promise<Date | undefined>;
}

/** The position, in the collection of the installation's own documents. */
interface CountingDocument {
  readonly _id: string;
  /** All events up to this place are counted. */
  readonly counted: number;
  /** Last place of the range after it that is being counted. Missing: none is. */
  readonly through?: number;
  /** Last account, in the order of ids, of which the events in this range are counted. Missing: none is. */
  readonly account?: string;
}

/** Events after a place, through another one. */
interface Range {
  readonly after: number;
  readonly through: number;
  /** In the order of ids. */
  readonly accounts: readonly (readonly [id: string, events: readonly JournalEntry[]])[];
}

export interface CountOptions {
  readonly limits?: CountLimits;
  /** Some events of an account are left out, because a document that counts them is damaged. */
  readonly onDamaged?: ((accountId: string, reason: unknown) => void) | undefined;
}

export interface CountLimits {
  /** Maximum number in a range, which is in memory: about 500 B each. The last pages may exceed it. */
  readonly events: number;
  /** Maximum number in a transaction: each is a few counter documents. */
  readonly accounts: number;
  /** Maximum number in a transaction, except for one account: each may have a minute of its own. */
  readonly eventsAtOnce: number;
}

const LIMITS: CountLimits = { events: 100_000, accounts: 1_000, eventsAtOnce: 20_000 };
const TURN = "eventCountingTurn";
const POSITION = "eventCounting";
const PLACES_AT_ONCE = 500;
/** Number of events that are read at once, except for those of one page: about 35 B each. */
const READ_AT_ONCE = 20_000;
/** Time after which a process ends its turn, well before others may consider it crashed. */
const TURN_MS = 2_000;

/**
 * The last place up to which all events are counted.
 * @returns undefined: each event is counted in the transaction that places it
 * @throws Fault store.unavailable
 */
export async function countedThrough(db: Db): Promise<number | undefined> {
  return (await readPosition(db))?.counted;
}

/** Reads both documents at once. */
async function readPosition(db: Db) {
  const installation = db.collection<Partial<CountingDocument & SequenceDocument> & { readonly _id: string }>(
    "installation",
  );
  const both = await guarded(installation.find({ _id: { $in: [SEQUENCE, POSITION] } }).toArray());
  const sequence = both.find(({ _id }) => _id === SEQUENCE);
  const stored = both.find(({ _id }) => _id === POSITION);
  const counted = stored?.counted ?? sequence?.countedThrough;
  if (counted === undefined) return undefined;
  const { through, account } = stored ?? {};
  return { counted, through, account, isStored: stored !== undefined, last: sequence?.last ?? 0 };
}

type Position = NonNullable<Awaited<ReturnType<typeof readPosition>>>;

export function createCountLog(
  db: Db,
  countEvents: CountEvents,
  { limits = LIMITS, onDamaged }: CountOptions = {},
): CountLog {
  const { log, pages } = eventLogCollections(db);
  const positions = db.collection<CountingDocument>("installation");
  /** The range that this process is counting. */
  let held: Range | undefined;

  /** Unreadable places and pages are left out. */
  async function readRange({ counted: after, through: end, last }: Position): Promise<Range> {
    const byAccount = new Map<string, JournalEntry[]>();
    const $lte = end === undefined ? {} : { $lte: logId(end) };
    let through = after;
    let events = 0;
    const isFull = () => end === undefined && events >= limits.events;
    for (let isMore = true; isMore && !isFull(); ) {
      const places = { $gt: logId(through), ...$lte };
      const found = await readEach<PlacedPage>((options) =>
        log
          .find({ _id: places }, { projection: PLACED_PAGE, ...options })
          .sort({ _id: 1 })
          .limit(PLACES_AT_ONCE),
      );
      for (const some of inGroups(found.documents, Math.min(READ_AT_ONCE, limits.events))) {
        if (isFull()) break;
        for (const entries of (await pagesOf(pages, some)).values()) {
          events += entries.length;
          addByAccount(byAccount, entries);
        }
        through = Number(some.at(-1)?._id);
      }
      const ids = foundIds(found);
      isMore = ids.length === PLACES_AT_ONCE;
      // Changes expire, so that places up to the last one may be missing.
      if (!isFull()) through = ids.length === 0 ? Math.max(through, last) : Number(ids.at(-1));
    }
    const accounts = [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1));
    return { after, through: end ?? through, accounts };
  }

  /** The first of these, as many as one transaction counts. */
  function firstOf(left: Range["accounts"], most: number): Range["accounts"] {
    let events = 0;
    const end = left.findIndex(([, { length }]) => {
      events += length;
      return events > limits.eventsAtOnce;
    });
    return left.slice(0, Math.min(most, end === -1 ? left.length : Math.max(end, 1)));
  }

  /** @throws CountedMeanwhileError if another process has moved it */
  async function move(
    session: ClientSession,
    { counted, through, account }: Position,
    update: UpdateFilter<CountingDocument>,
  ): Promise<void> {
    const missing = { $exists: false };
    const from = { _id: POSITION, counted, through: through ?? missing, account: account ?? missing };
    const { matchedCount } = await positions.updateOne(from as Filter<CountingDocument>, update, { session });
    if (matchedCount === 0) throw new CountedMeanwhileError();
  }

  /** @param most maximum number of accounts */
  async function countNext(position: Position, range: Range, most: number): Promise<void> {
    const left = range.accounts.filter(([id]) => id > (position.account ?? ""));
    const some = firstOf(left, most);
    const last = some.at(-1)?.[0] ?? "";
    const update: UpdateFilter<CountingDocument> =
      some.length === left.length
        ? { $set: { counted: range.through }, $unset: { through: "", account: "" } }
        : { $set: { through: range.through, account: last } };
    const counting = (events: readonly JournalEntry[]) =>
      inTransaction(
        db.client,
        async (session) => {
          await move(session, position, update);
          await countEvents(session, events);
        },
        { retryDuplicates: true },
      );
    try {
      await counting(some.flatMap(([, events]) => events));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // A damaged document of one account does not stop the others.
      if (some.length > 1) return countNext(position, range, Math.floor(some.length / 2));
      await counting([]);
      onDamaged?.(last, error);
    }
  }

  async function countInTurn(): Promise<void> {
    const endMs = performance.now() + TURN_MS;
    do {
      const position = await readPosition(db);
      if (!position || isAllCounted(position)) return;
      const { counted, through } = position;
      if (!position.isStored)
        await positions.updateOne({ _id: POSITION }, { $setOnInsert: { counted } }, { upsert: true });
      const isHeld = held?.after === counted && (through === undefined || through === held.through);
      const range: Range = held && isHeld ? held : await readRange(position);
      held = range;
      await countNext(position, range, limits.accounts);
    } while (performance.now() < endMs);
  }

  async function countIfFree(): Promise<boolean> {
    let isOwn = false;
    await withNamedLockIfFree(db, TURN, async () => {
      isOwn = true;
      try {
        await countInTurn();
      } catch (error) {
        if (!(error instanceof CountedMeanwhileError)) throw storeFault(error);
      }
    });
    return isOwn;
  }

  return {
    async countSome() {
      const position = await readPosition(db);
      const isLeft = position !== undefined && !isAllCounted(position);
      // The events of a range that another process counts now are not needed.
      if (!isLeft || !(await countIfFree())) held = undefined;
    },

    async firstUncounted() {
      const position = await readPosition(db);
      if (!position || isAllCounted(position)) return undefined;
      const after = { _id: { $gt: logId(position.counted) } };
      return (await guarded(log.findOne(after, { projection: { at: 1 }, sort: { _id: 1 } })))?.at;
    },
  };
}

/** A place with its page, if it has one. */
type PlacedPage = Pick<EventLogDocument, "_id"> & { readonly page?: string; readonly events?: number };

const PLACED_PAGE = { page: 1, events: 1 } as const;

/** @param most maximum number of events in a group of several pages */
function* inGroups(
  places: readonly PlacedPage[],
  most: number,
): Generator<readonly PlacedPage[], void, void> {
  let group: PlacedPage[] = [];
  let size = 0;
  for (const place of places) {
    const { events = 0 } = place;
    if (group.length > 0 && size + events > most) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(place);
    size += events;
  }
  if (group.length > 0) yield group;
}

function addByAccount(byAccount: Map<string, JournalEntry[]>, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    if (entry.accountId === "") continue;
    const own = byAccount.get(entry.accountId);
    if (own) own.push(entry);
    else byAccount.set(entry.accountId, [entry]);
  }
}

function isAllCounted({ counted, through, last }: Position): boolean {
  return counted >= last && through === undefined;
}

class CountedMeanwhileError extends Error {
  override readonly name = "CountedMeanwhileError";
}
