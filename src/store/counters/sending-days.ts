import { LRUCache } from "lru-cache";
import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import { INTEL_RETENTION_MS } from "../../shared/intel-retention.ts";
import { guarded } from "../store-fault.ts";

/** Mailbox providers with bulk sender rules; `other` are all the others. */
export const sendingProviders = ["gmail", "yahoo", "outlook", "other"] as const;
export type SendingProvider = (typeof sendingProviders)[number];

/** Outcomes of messages. Each message has one of the first four, and may get others later. */
export const sendingKinds = ["delivered", "bounced", "expired", "failed", "complained"] as const;
export type SendingKind = (typeof sendingKinds)[number];

export type SendingCounts = Readonly<
  Partial<Record<SendingProvider, Readonly<Partial<Record<SendingKind, number>>>>>
>;

/** Outcomes of the mail from one domain on one day, in `sendingDays`: by account, domain and day. */
export interface SendingDayDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Domain of the From address, in lower case; empty: the sum of the domains beyond the limit. */
  readonly domain: string;
  /** In UTC, such as `2026-03-01`. */
  readonly day: string;
  readonly counts: SendingCounts;
  readonly expireAt: Date;
}

/** Increments of one such document. */
export interface SendingTally extends Pick<SendingDayDocument, "accountId" | "domain" | "day"> {
  readonly counts: ReadonlyMap<SendingProvider, ReadonlyMap<SendingKind, number>>;
}

/**
 * Maximum number of domains with counters per account and day: a sender with permission for all names below a domain
 * could use any number.
 */
export const MAX_SENDING_DOMAINS = 1_000;
/** Maximum number of cached ids of existing documents. */
const MAX_KNOWN = 20_000;

/** Maximum number of account days that are counted in one read. */
const DAYS_AT_ONCE = 200;
/** Maximum number of documents that are read for that. Those of accounts with more are counted one by one. */
const MOST_READ = 10_000;

/** Counters of sending domains: reports and provider rules need them by domain, not by account. */
export function createSendingDays(db: Db) {
  const days = db.collection<SendingDayDocument>("sendingDays");
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });

  /** How many domains each of these account days may have in addition. */
  async function capacities(
    session: ClientSession,
    tallies: readonly SendingTally[],
  ): Promise<Map<string, number>> {
    const all = [...new Map(tallies.map((tally) => [dayOf(tally), tally])).values()];
    const left = new Map(all.map((tally) => [dayOf(tally), MAX_SENDING_DOMAINS]));
    for (let from = 0; from < all.length; from += DAYS_AT_ONCE) {
      const some = all.slice(from, from + DAYS_AT_ONCE);
      const accountId = { $in: [...new Set(some.map((one) => one.accountId))] };
      const day = { $in: [...new Set(some.map((one) => one.day))] };
      const options = { session, projection: { _id: 0, accountId: 1, day: 1 }, limit: MOST_READ };
      const found = await days.find({ accountId, day }, options).toArray();
      if (found.length < MOST_READ)
        for (const one of found) left.set(dayOf(one), (left.get(dayOf(one)) ?? 0) - 1);
      else
        for (const one of some) {
          const limit = { session, limit: MAX_SENDING_DOMAINS };
          const count = await days.countDocuments({ accountId: one.accountId, day: one.day }, limit);
          left.set(dayOf(one), MAX_SENDING_DOMAINS - count);
        }
    }
    return left;
  }

  /** The ids among these that exist, or may be created within the limit of each account's day. */
  async function admitted(session: ClientSession, tallies: readonly SendingTally[]): Promise<Set<string>> {
    const unknown = tallies.filter((tally) => !known.has(idOf(tally)));
    const ids = unknown.map(idOf);
    const found =
      ids.length === 0
        ? []
        : await days.find({ _id: { $in: ids } }, { projection: { _id: 1 }, session }).toArray();
    // Documents that were read exist. Those admitted below may not, if the transaction retries.
    for (const { _id } of found) known.set(_id, true);
    const present = new Set(tallies.map(idOf).filter((id) => known.has(id)));
    const fresh = unknown.filter((tally) => !present.has(idOf(tally)));
    const left = await capacities(session, fresh);
    for (const tally of fresh) {
      const free = left.get(dayOf(tally)) ?? 0;
      left.set(dayOf(tally), free - 1);
      if (free > 0) present.add(idOf(tally));
    }
    return present;
  }

  return {
    /** Adds to the counters, in a transaction. */
    async add(session: ClientSession, tallies: readonly SendingTally[]): Promise<void> {
      if (tallies.length === 0) return;
      const fitting = await admitted(session, tallies);
      const operations = tallies.map((tally) =>
        incrementOf(fitting.has(idOf(tally)) ? tally : { ...tally, domain: "" }),
      );
      await days.bulkWrite(operations, { session, ordered: false });
    },

    forAccount: (accountId: string) => ({
      /** All days of a domain from one day on, in order. */
      read: (domain: string, first: string): Promise<SendingDayDocument[]> =>
        guarded(
          days
            .find({ accountId, domain, day: { $gte: first } })
            .sort({ day: 1 })
            .toArray(),
        ),
    }),
  };
}

function dayOf({ accountId, day }: Pick<SendingDayDocument, "accountId" | "day">): string {
  return `${accountId} ${day}`;
}

function idOf({ accountId, domain, day }: Pick<SendingDayDocument, "accountId" | "domain" | "day">): string {
  return `${accountId}.${day}.${domain}`;
}

function incrementOf(tally: SendingTally): AnyBulkWriteOperation<SendingDayDocument> {
  const { accountId, domain, day, counts } = tally;
  const $inc: Record<string, number> = {};
  for (const [provider, kinds] of counts)
    for (const [kind, n] of kinds) $inc[`counts.${provider}.${kind}`] = n;
  const expireAt = new Date(Date.parse(day) + INTEL_RETENTION_MS);
  const update = { $inc, $setOnInsert: { domain, day, expireAt } };
  return { updateOne: { filter: { _id: idOf(tally), accountId }, update, upsert: true } };
}
