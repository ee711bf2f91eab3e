import type { Db } from "mongodb";
import type { StandingCheck } from "../intel/standing-check.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import { intelCollections } from "./intel-collections.ts";
import type {
  DomainStanding,
  ScorePointDocument,
  WatchChangeDocument,
  WatchedDomainDocument,
} from "./intel-documents.ts";
import type { NoteWatch } from "./journal/note-deliveries.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import type { createTallies } from "./tallies.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** Results of a check run of a domain. */
export interface RunResult {
  readonly standing: DomainStanding;
  readonly checks: readonly StandingCheck[];
  /** Keys of the states of listed subjects. */
  readonly listed: readonly string[];
  readonly checkedAt: Date;
  readonly dueAt: Date;
  readonly failures: number;
  /** Missing: score and status are unchanged. */
  readonly point?: ScorePointDocument;
  readonly changes: readonly WatchChangeDocument[];
  readonly events: readonly OutboxEvent[];
}

type Watched = Pick<WatchedDomainDocument, "_id" | "accountId">;

/** Checks of watched domains of all accounts: claims them, and stores results. */
export function createWatchRuns(
  db: Db,
  {
    outbox,
    transact,
    tallies,
    noteWatch,
  }: {
    readonly outbox: Pick<WebhookOutbox, "publish">;
    readonly transact: AccountTransactions;
    readonly tallies: Pick<ReturnType<typeof createTallies>, "count">;
    /** Called when a check begins, advances or ends, for open event streams. */
    readonly noteWatch: NoteWatch;
  },
) {
  const { domains, checks, points, changes } = intelCollections(db);

  const note = ({ _id: id, accountId }: Watched) => noteWatch(accountId, id);

  return {
    /** Records that a check of a domain begins. Its result, or `endCheck`, ends that. */
    async beginCheck({ _id, accountId }: Watched, since: Date): Promise<void> {
      await guarded(domains.updateOne({ _id, accountId }, { $set: { checking: { since, done: [] } } }));
      note({ _id, accountId });
    },

    /** Records the finished parts of a check, unless another check has begun since. */
    async advanceCheck({ _id, accountId }: Watched, since: Date, done: readonly string[]): Promise<void> {
      const running = { _id, accountId, "checking.since": since };
      await guarded(domains.updateOne(running, { $set: { "checking.done": [...done] } }));
      note({ _id, accountId });
    },

    /** Records the end of a check without a result, unless another check has begun since. */
    async endCheck({ _id, accountId }: Watched, since: Date): Promise<void> {
      const running = { _id, accountId, "checking.since": since };
      await guarded(domains.updateOne(running, { $unset: { checking: "" } }));
      note({ _id, accountId });
    },

    /** Finds a domain of any account; null: there is none. */
    find: (id: string) => guarded(domains.findOne({ _id: id })),

    /** Due domains, the longest waiting first. */
    async listDue(now: Date, limit: number): Promise<WatchedDomainDocument[]> {
      const find = (options: { readonly raw?: true }) =>
        domains
          .find({ dueAt: { $lte: now } }, options)
          .sort({ dueAt: 1 })
          .limit(limit);
      return (await readEach<WatchedDomainDocument>(find)).documents;
    },

    /** Claims the check of a domain by moving its next check. False: another process has claimed it. */
    async claim({ _id, accountId, dueAt }: WatchedDomainDocument, until: Date): Promise<boolean> {
      if (!dueAt) return false;
      const result = await guarded(domains.updateOne({ _id, accountId, dueAt }, { $set: { dueAt: until } }));
      return result.matchedCount === 1;
    },

    /** null: it was not checked yet. */
    findChecks: ({ _id, accountId }: Pick<WatchedDomainDocument, "_id" | "accountId">) =>
      guarded(checks.findOne({ _id, accountId })),

    /**
     * Stores the results of a check run, atomically.
     * @param seen the domain at the start of the run
     * @param claimedUntil time to which its next check was moved, if it was: if the domain is due earlier now, it was
     * woken, and that time stays
     * @returns undefined: the domain has changed in the meantime, and is checked again
     */
    async keep(
      seen: WatchedDomainDocument,
      result: RunResult,
      claimedUntil: Date | undefined,
    ): Promise<WatchedDomainDocument | undefined> {
      const { _id, accountId, revision } = seen;
      const kept = await transact(accountId, async (session) => {
        const before = await domains.findOne({ _id, accountId, revision }, { session });
        if (!before) return undefined;
        const { standing, checkedAt, failures } = result;
        const isWoken = claimedUntil && before.dueAt && before.dueAt < claimedUntil;
        const dueAt = isWoken ? before.dueAt : result.dueAt;
        const { dueAt: _, checking: __, ...rest } = before;
        const after: WatchedDomainDocument = {
          ...rest,
          ...standing,
          checkedAt,
          failures,
          ...(!before.paused && { dueAt }),
          scoreRank: standing.score ?? -1,
          checkedRank: checkedAt,
          revision: revision + 1,
          mutes: before.mutes.filter(({ until }) => until > checkedAt),
        };
        await domains.replaceOne({ _id, accountId }, after, { session });
        const { listed, checks: standings } = result;
        const known = { _id, accountId, listed, checks: standings };
        await checks.replaceOne({ _id, accountId }, known, { session, upsert: true });
        if (result.point)
          await points.replaceOne({ _id: result.point._id, accountId }, result.point, {
            session,
            upsert: true,
          });
        if (result.changes.length > 0) await changes.insertMany([...result.changes], { session });
        await outbox.publish(session, accountId, result.events);
        const { scoreModel } = standing;
        await tallies.count(session, { of: before, before, after, at: checkedAt, scoreModel });
        return after;
      });
      if (kept) note(kept);
      return kept;
    },

    /** Changes of which alert rules were not notified yet. */
    async listUnalerted(limit: number): Promise<WatchChangeDocument[]> {
      const find = (options: { readonly raw?: true }) =>
        changes.find({ unalerted: true }, options).sort({ _id: 1 }).limit(limit);
      return (await readEach<WatchChangeDocument>(find)).documents;
    },

    async markAlerted({ _id, accountId }: WatchChangeDocument): Promise<void> {
      await guarded(changes.updateOne({ _id, accountId }, { $unset: { unalerted: "" } }));
    },
  };
}
