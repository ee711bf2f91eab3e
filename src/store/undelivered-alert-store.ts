import type { ClientSession, Db } from "mongodb";
import type { JournalEntry } from "./journal/journal-documents.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** Alert mail of an account that did not reach its recipients, and of which its owners were not notified yet. */
export interface UndeliveredAlertsDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly accountId: string;
  /** Number of mails since the last notification of the owners. */
  readonly count: number;
  /** Time of the first failure. */
  readonly since: Date;
  /** Some of their ids, the latest first. */
  readonly messageIds: readonly string[];
  /** Notices that cannot be created, at most 25. Missing: none. Each failed retry is recorded again. */
  readonly unmade?: readonly UnmadeNotice[];
  /** The owners are not notified before this time. */
  readonly tellAt: Date;
  /** A notification is pending. */
  readonly waiting?: true;
  readonly expireAt: Date;
}

/** An alert notice that cannot be created as a mail, or that an alert target did not accept. */
export interface UnmadeNotice {
  /** Incident or digest, and number of the notice. */
  readonly key: string;
  readonly ruleName: string;
  /** Name of the alert target. Missing: the notice is a mail. */
  readonly target?: string;
  readonly detail: string;
}

/** States of mail that did not reach its recipient. */
const FAILURES: readonly string[] = ["bounced", "complained", "suppressed", "expired", "failed"];
/** Maximum number of mails named to the owners. Others are only counted. */
const MAX_NAMED = 25;
const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;

export type UndeliveredAlerts = ReturnType<typeof createUndeliveredAlertStore>;

export function createUndeliveredAlertStore(db: Db) {
  const undelivered = db.collection<UndeliveredAlertsDocument>("undeliveredAlerts");

  async function addUnmade(
    session: ClientSession,
    accountId: string,
    notices: readonly UnmadeNotice[],
    now: Date,
  ): Promise<void> {
    const former = await undelivered.findOne({ _id: accountId, accountId }, { session });
    const replacement = withUnmade(accountId, former ?? undefined, notices, now);
    await undelivered.replaceOne({ _id: accountId, accountId }, replacement, { session, upsert: true });
  }

  return {
    /** Records notices that alert targets did not accept, in the transaction that ends their deliveries. */
    addUnmade,

    /** Records failed alert mail, in the transaction that counts the events. */
    async addHappened(session: ClientSession, happened: readonly JournalEntry[]): Promise<void> {
      const failures = happened.filter(
        ({ source, kind, accountId }) => source === "alert" && FAILURES.includes(kind) && accountId !== "",
      );
      const accountIds = [...new Set(failures.map(({ accountId }) => accountId))];
      if (accountIds.length === 0) return;
      const found = await undelivered.find({ _id: { $in: accountIds } }, { session }).toArray();
      const known = new Map(found.map((one) => [one._id, one]));
      const writes = accountIds.map((accountId) => {
        const own = failures.filter((one) => one.accountId === accountId);
        const replacement = withFailures(accountId, known.get(accountId), own);
        return { replaceOne: { filter: { _id: accountId, accountId }, replacement, upsert: true } };
      });
      await undelivered.bulkWrite(writes, { session });
    },

    acrossAccounts: {
      /** Records an account's notices that cannot be created, for the next mail to its owners. */
      addUnmade: (accountId: string, notices: readonly UnmadeNotice[], now: Date): Promise<void> =>
        guarded(
          inTransaction(db.client, (session) => addUnmade(session, accountId, notices, now), {
            retryDuplicates: true,
          }),
        ),

      /**
       * Claims one account with owners to notify, until a time.
       * @returns null: there is none
       */
      claim: (now: Date, until: Date): Promise<UndeliveredAlertsDocument | null> =>
        guarded(
          undelivered.findOneAndUpdate(
            { waiting: true, tellAt: { $lte: now } },
            { $set: { tellAt: until } },
            { returnDocument: "after" },
          ),
        ),

      /** Records the notification of the owners. Later failures are reported a day later. */
      async settle(
        { _id, accountId, count, since, unmade = [] }: UndeliveredAlertsDocument,
        now: Date,
      ): Promise<void> {
        const tellAt = new Date(now.getTime() + DAY_MS);
        const events = { _id, accountId, since };
        const over = { $set: { tellAt, count: 0 }, $unset: { waiting: "", unmade: "" } } as const;
        const next = `unmade.${unmade.length}`;
        const unchanged = { ...events, count, [next]: { $exists: false } };
        const { matchedCount } = await guarded(undelivered.updateOne(unchanged, over));
        if (matchedCount === 0)
          await guarded(undelivered.updateOne(events, { $set: { tellAt }, $inc: { count: -count } }));
      },
    },
  };
}

function withFailures(
  accountId: string,
  former: UndeliveredAlertsDocument | undefined,
  failures: readonly JournalEntry[],
): UndeliveredAlertsDocument {
  const times = failures.map(({ at }) => at.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const before = former?.waiting ? former : undefined;
  const ids = failures.map(({ messageId }) => messageId).reverse();
  return {
    _id: accountId,
    accountId,
    waiting: true,
    count: (before?.count ?? 0) + failures.length,
    since: new Date(Math.min(first, before?.since.getTime() ?? first)),
    messageIds: [...new Set([...ids, ...(before?.messageIds ?? [])])].slice(0, MAX_NAMED),
    ...(before?.unmade && { unmade: before.unmade }),
    tellAt: former?.tellAt ?? new Date(first),
    expireAt: new Date(last + KEPT_MS),
  };
}

function withUnmade(
  accountId: string,
  former: UndeliveredAlertsDocument | undefined,
  notices: readonly UnmadeNotice[],
  now: Date,
): UndeliveredAlertsDocument {
  const before = former?.waiting ? former : undefined;
  const byKey = new Map([...(before?.unmade ?? []), ...notices].map((one) => [one.key, one]));
  return {
    _id: accountId,
    accountId,
    waiting: true,
    count: before?.count ?? 0,
    since: before?.since ?? now,
    messageIds: before?.messageIds ?? [],
    unmade: [...byKey.values()].slice(0, MAX_NAMED),
    tellAt: former?.tellAt ?? now,
    expireAt: new Date(now.getTime() + KEPT_MS),
  };
}
