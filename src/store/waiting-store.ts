import type { Db } from "mongodb";
import { waitingStates } from "../shared/message-state.ts";
import type { MessageDocument } from "./message-documents.ts";
import { guarded } from "./store-fault.ts";

/** Waiting messages for one destination. */
export interface WaitingAt {
  readonly domain: string;
  readonly waiting: number;
  /** Acceptance time of the oldest one. */
  readonly oldestAt: Date;
}

export interface WaitingCounts {
  readonly destinations: readonly WaitingAt[];
  /** Whether some destinations were not counted. */
  readonly isPartial: boolean;
}

type Entry = Pick<MessageDocument, "recipientDomain" | "createdAt" | "state" | "policy">;

const inQueue = ["queued", "deferred"] as const;

/** Number of index entries read at once. */
const PAGE = 1_000;
const LAST_DOMAIN = "\u{10ffff}";
const EARLIEST = new Date(0);

/**
 * Counts the waiting messages of an account. The stores read the index `waiting_of_policy` and no message, because
 * each part of a filter limits a field of the index.
 */
export function createWaitingStore(db: Db) {
  const messages = db.collection<MessageDocument>("messages");

  const countsOf = (accountId: string, policy?: string) => {
    const ofAccount = { accountId, createdAt: { $gte: EARLIEST } };
    const ofPolicy = policy === undefined ? {} : { policy };

    const countAt = (filter: object): Promise<number> => guarded(messages.countDocuments(filter as object));

    /** @param at a condition on `recipientDomain` */
    async function countInQueue(at: object): Promise<number> {
      const counts = inQueue.map((state) => countAt({ ...ofAccount, ...at, state, ...ofPolicy }));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    }

    async function oldestAt(recipientDomain: string): Promise<Date | undefined> {
      const oldest = inQueue.map((state) =>
        guarded(
          messages.findOne({ ...ofAccount, recipientDomain, state, ...ofPolicy } as object, {
            projection: { _id: 0, createdAt: 1 },
            sort: { createdAt: 1 },
          }),
        ),
      );
      const found = (await Promise.all(oldest)).flatMap((one) => one?.createdAt ?? []);
      return found.sort((one, other) => one.getTime() - other.getTime())[0];
    }

    const isCounted = (entry: Entry) =>
      entry.state !== "scheduled" && (policy === undefined || entry.policy === policy);

    /** Entries of all policies: the cost of a read does not grow with the messages of others. */
    function page(after: string): Promise<Entry[]> {
      // MongoDB uses a partial index only for its literal condition, not for a narrower one.
      const state = { $in: [...waitingStates] };
      const filter = { ...ofAccount, state, recipientDomain: { $gt: after, $lt: LAST_DOMAIN } };
      const projection = { _id: 0, recipientDomain: 1, createdAt: 1, state: 1, policy: 1 } as const;
      const found = messages
        .find<Entry>(filter as object, { projection })
        .sort({ recipientDomain: 1, createdAt: 1 })
        .limit(PAGE);
      return guarded(found.toArray());
    }

    return {
      /** All waiting messages; `scheduled` are those that wait for their `send_at`. */
      async count(): Promise<{ readonly waiting: number; readonly scheduled: number }> {
        const anywhere = { recipientDomain: { $gte: "" } };
        const [waiting, scheduled] = await Promise.all([
          countInQueue(anywhere),
          countAt({ ...ofAccount, ...anywhere, state: "scheduled", ...ofPolicy }),
        ]);
        return { waiting, scheduled };
      },

      /**
       * By destination, in the order of names, until all are counted or `isOver`. The last destination of a page is
       * counted separately, and its other entries are skipped.
       */
      async countByDestination(isOver: () => boolean): Promise<WaitingCounts> {
        const destinations: WaitingAt[] = [];
        for (let after = ""; ; ) {
          const entries = await page(after);
          const last = entries.at(-1);
          if (!last) return { destinations, isPartial: false };
          const isFull = entries.length === PAGE;
          for (let at = 0; at < entries.length; ) {
            const domain = (entries[at] as Entry).recipientDomain;
            const first = at;
            while (entries[at]?.recipientDomain === domain) at++;
            const isCut = isFull && domain === last.recipientDomain;
            const counted = entries.slice(first, at).filter(isCounted);
            const waiting = isCut ? await countInQueue({ recipientDomain: domain }) : counted.length;
            const oldest = isCut ? await oldestAt(domain) : counted[0]?.createdAt;
            if (oldest && waiting > 0) destinations.push({ domain, waiting, oldestAt: oldest });
          }
          if (!isFull) return { destinations, isPartial: false };
          if (isOver()) return { destinations, isPartial: true };
          after = last.recipientDomain;
        }
      },
    };
  };

  return {
    forAccount: (accountId: string) => ({
      ...countsOf(accountId),
      /** The same counts of the messages of one policy. */
      countOfPolicy: (policy: string) => countsOf(accountId, policy).count(),
      countOfPolicyByDestination: (policy: string, isOver: () => boolean) =>
        countsOf(accountId, policy).countByDestination(isOver),
    }),
  };
}
