import type { Db } from "mongodb";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** What waits for one destination. */
export interface WaitingAt {
  readonly domain: string;
  readonly waiting: number;
  /** When the oldest of it was accepted. */
  readonly oldestAt: Date;
}

export interface WaitingCounts {
  readonly destinations: readonly WaitingAt[];
  /** Some destinations were not counted. */
  readonly isPartial: boolean;
}

interface Entry {
  readonly recipientDomain: string;
  readonly createdAt: Date;
}

/** Entries of the index that are read at once. */
const PAGE = 1_000;
const LAST_DOMAIN = "\u{10ffff}";
const EARLIEST = new Date(0);

/**
 * Counts the waiting messages of an account. The stores read the index `waiting_of_account` and no message, because each part of a
 * filter bounds a field of it.
 */
export function createWaitingStore(db: Db) {
  const messages = db.collection<MessageDocument>("messages");

  const forAccount = (accountId: string) => {
    const inQueue = { accountId, createdAt: { $gte: EARLIEST }, state: { $in: ["queued", "deferred"] } };

    const countAt = (filter: object): Promise<number> => guarded(messages.countDocuments(filter));

    function page(after: string): Promise<Entry[]> {
      const filter = { ...inQueue, recipientDomain: { $gt: after, $lt: LAST_DOMAIN } };
      const projection = { _id: 0, recipientDomain: 1, createdAt: 1 } as const;
      const found = messages
        .find<Entry>(filter as object, { projection })
        .sort({ recipientDomain: 1, createdAt: 1 })
        .limit(PAGE);
      return guarded(found.toArray());
    }

    return {
      /** All of it; `scheduled` has messages that wait for their `send_at`. */
      async count(): Promise<{ readonly waiting: number; readonly scheduled: number }> {
        const anywhere = { ...inQueue, recipientDomain: { $gte: "" } };
        const [waiting, scheduled] = await Promise.all([
          countAt(anywhere),
          countAt({ ...anywhere, state: { $in: ["scheduled"] } }),
        ]);
        return { waiting, scheduled };
      },

      /**
       * By destination, in the order of their names, until all are counted or `isOver`. The last one of a page is counted apart, and
       * its other entries are skipped.
       */
      async countByDestination(isOver: () => boolean): Promise<WaitingCounts> {
        const destinations: WaitingAt[] = [];
        for (let after = ""; ; ) {
          const entries = await page(after);
          const last = entries.at(-1);
          if (!last) return { destinations, isPartial: false };
          const isFull = entries.length === PAGE;
          for (let at = 0; at < entries.length; ) {
            const { recipientDomain: domain, createdAt: oldestAt } = entries[at] as Entry;
            const first = at;
            while (entries[at]?.recipientDomain === domain) at++;
            const isCut = isFull && domain === last.recipientDomain;
            const waiting = isCut ? await countAt({ ...inQueue, recipientDomain: domain }) : at - first;
            destinations.push({ domain, waiting, oldestAt });
          }
          if (!isFull) return { destinations, isPartial: false };
          if (isOver()) return { destinations, isPartial: true };
          after = last.recipientDomain;
        }
      },
    };
  };

  return { forAccount };
}
