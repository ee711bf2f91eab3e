import type { ClientSession, Db } from "mongodb";
import type { CountEvents } from "./counters/count-events.ts";
import {
  createAppend,
  eventLogCollections,
  pagesOf,
  type UnplacedChangeDocument,
  type UnplacedPageDocument,
} from "./event-log.ts";
import type { JournalEntry } from "./journal/journal-documents.ts";
import { createIsMigrated } from "./migrations/is-migrated.ts";
import { withNamedLock, withNamedLockIfFree } from "./named-lock.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Gives everything that was added to the event log its place, whichever process has added it. One process at a time does so:
 * places come from one number, so that transactions of several processes would conflict.
 */
export interface PlaceEvents {
  /** Everything that was added before the call. @throws Fault store.unavailable: a repetition places nothing twice */
  place(): Promise<void>;
  /** As `place`, or nothing while another process has the turn, which then places it. @throws Fault store.unavailable */
  placeIfFree(): Promise<void>;
}

type Unplaced = UnplacedPageDocument | UnplacedChangeDocument;

const TURN = "eventLogTurn";
/** The schema version since which readers of the event log count it, in transactions of their own. */
const COUNTED_APART_VERSION = 13;
/** Maximum number of places of one transaction. */
const MAX_PLACES = 500;
/** Maximum number of events of one transaction that counts them, except for one page. */
const MAX_EVENTS = 20_000;
/** Maximum number of accounts of such a transaction, except for one page: each is a few counter documents. */
const MAX_ACCOUNTS = 1_000;
/** Number of pages that are read at once. */
const PAGES_AT_ONCE = 10;
/** Time after which a process ends its turn, well before others may consider it crashed. */
const TURN_MS = 2_000;

/** @param countEvents for the time in which programs of schema version 12 may run, which count what they place */
export function createPlaceEvents(db: Db, countEvents: CountEvents): PlaceEvents {
  const { unplacedPages, unplacedChanges, pages } = eventLogCollections(db);
  const append = createAppend(db);
  const isCountedApart = createIsMigrated(db, COUNTED_APART_VERSION);

  /** In the order of their ids. */
  async function findUnplaced(): Promise<readonly Unplaced[]> {
    const found = await Promise.all([
      readEach<UnplacedPageDocument>((options) =>
        unplacedPages.find({}, options).sort({ _id: 1 }).limit(MAX_PLACES),
      ),
      readEach<UnplacedChangeDocument>((options) =>
        unplacedChanges.find({}, options).sort({ _id: 1 }).limit(MAX_PLACES),
      ),
    ]);
    return found
      .flatMap(({ documents }): readonly Unplaced[] => documents)
      .sort((a, b) => (a._id < b._id ? -1 : 1))
      .slice(0, MAX_PLACES);
  }

  /** @throws PlacedMeanwhileError if another process has removed some of them */
  async function remove(session: ClientSession, found: readonly Unplaced[]): Promise<void> {
    for (const collection of [unplacedPages, unplacedChanges]) {
      const isPage = collection === unplacedPages;
      const $in = found.flatMap((one) => ("page" in one === isPage ? one._id : []));
      if ($in.length === 0) continue;
      const { deletedCount } = await collection.deleteMany({ _id: { $in } }, { session });
      if (deletedCount < $in.length) throw new PlacedMeanwhileError();
    }
  }

  /** The first of them, as many as one transaction can count, with their message events. */
  async function readFirst(all: readonly Unplaced[]) {
    const accounts = new Set<string>();
    const found: Unplaced[] = [];
    const happened: JournalEntry[] = [];
    for (let from = 0; from < all.length; from += PAGES_AT_ONCE) {
      const some = all.slice(from, from + PAGES_AT_ONCE);
      const byPage = await pagesOf(pages, some);
      for (const one of some) {
        const events = "page" in one ? (byPage.get(one.page) ?? []) : [];
        for (const { accountId } of events) accounts.add(accountId);
        const isTooMuch = accounts.size > MAX_ACCOUNTS || happened.length + events.length > MAX_EVENTS;
        if (found.length > 0 && isTooMuch) return { found, happened };
        found.push(one);
        happened.push(...events);
      }
    }
    return { found, happened };
  }

  /** False: another process has placed some of them, and none was placed here. */
  async function placeFirst(all: readonly Unplaced[]): Promise<boolean> {
    const isApart = await isCountedApart();
    const { found, happened } = isApart ? { found: all, happened: [] } : await readFirst(all);
    const contents = found.map(({ _id, ...content }) => content);
    const placing = inTransaction(
      db.client,
      async (session) => {
        await remove(session, found);
        if (await append(session, contents, isApart)) await countEvents(session, happened);
      },
      { retryDuplicates: true },
    );
    try {
      await placing;
      return true;
    } catch (error) {
      if (error instanceof PlacedMeanwhileError) return false;
      throw error;
    }
  }

  /** @returns whether any was placed */
  async function placeInTurn(): Promise<boolean> {
    const endMs = performance.now() + TURN_MS;
    let isAnyPlaced = false;
    do {
      const found = await findUnplaced();
      if (found.length === 0) break;
      isAnyPlaced = (await guarded(placeFirst(found))) || isAnyPlaced;
    } while (performance.now() < endMs);
    return isAnyPlaced;
  }

  async function isAllPlaced(): Promise<boolean> {
    const options = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
    const first = [unplacedPages.findOne({}, options), unplacedChanges.findOne({}, options)];
    return (await guarded(Promise.all(first))).every((one) => one === null);
  }

  /** @param inTurn runs the work, or does nothing while another process has the turn */
  async function placeAll(inTurn: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    // Again after each turn: a process that added some during it has left them to this one.
    for (let goesOn = true; goesOn && !(await isAllPlaced()); ) {
      goesOn = false;
      await inTurn(async () => {
        goesOn = await placeInTurn();
      });
    }
  }

  return {
    place: () => placeAll((work) => withNamedLock(db, TURN, work)),
    placeIfFree: () => placeAll((work) => withNamedLockIfFree(db, TURN, work)),
  };
}

class PlacedMeanwhileError extends Error {
  override readonly name = "PlacedMeanwhileError";
}
