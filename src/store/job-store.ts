import type { ClientSession, Db, Document, Filter, UpdateFilter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import {
  type JobDocument,
  type JobItemsDocument,
  type JobOutcome,
  type JobResultsDocument,
  type JobState,
  jobStepId,
} from "./job-documents.ts";
import { createEndDamagedJob, type DamagedJob, ENDED, jobFault } from "./job-fault.ts";
import type { NoteResource } from "./journal/note-resource.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { isHonoured, later, type StoreNow, storeNow } from "./store-time.ts";

/** A job that is to be begun; the store adds what says whose turn it is. */
export type NewJob = Pick<
  JobDocument,
  "_id" | "kind" | "params" | "about" | "permission" | "startedBy" | "createdAt"
>;

/** `known`: there is one of this id, which was begun before. `too_many`: so many are open already. */
export type JobBeginning =
  | { readonly outcome: "begun" | "known"; readonly job: JobDocument }
  | { readonly outcome: "too_many" };

export interface JobPage {
  readonly state?: JobState | undefined;
  /** Behind this job. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface JobResultsPage {
  /** Only documents that have such results. */
  readonly outcome?: JobOutcome | undefined;
  /** From this document on. */
  readonly from?: string | undefined;
  readonly limit: number;
}

/** A turn, as what is written in it names it. */
export type JobTurn = Pick<JobDocument, "_id" | "accountId" | "epoch">;

/** What a turn changes of its job. */
export interface JobChange {
  readonly set: Partial<Omit<JobDocument, "_id" | "accountId" | "epoch">>;
  /** Added to the counts. */
  readonly counts?: Readonly<Partial<Record<JobOutcome, number>>>;
  readonly results?: JobResultsDocument | undefined;
  readonly items?: JobItemsDocument | undefined;
  /** True: the job has ended, and is nobody's turn any more. */
  readonly isOver?: boolean;
}

export interface TakeJob {
  /** What the process can do. */
  readonly kinds: readonly string[];
  readonly holder: string;
  readonly leaseMs: number;
  /** Jobs whose turn is later are left. */
  readonly now: Date;
}

const BEGINNING = new Date(0);
/** Others may take a job between the look and the take, and one may be damaged. */
const LOOKED_AT = 5;

/** @param now the store's clock; tests put another one in its place */
export function createJobStore(
  db: Db,
  writes: AuditedWrites,
  noteResource: NoteResource,
  now: StoreNow = storeNow,
) {
  const jobs = db.collection<JobDocument>("jobs");
  const audited = writes.of("job", jobs);
  const results = db.collection<JobResultsDocument>("jobResults");
  const items = db.collection<JobItemsDocument>("jobItems");

  const ofTurn = ({ _id, accountId, epoch }: JobTurn) => ({
    _id,
    accountId,
    epoch,
    turnAt: { $gte: BEGINNING },
  });

  const noteChange = (session: ClientSession, { _id: id, accountId }: Pick<JobTurn, "_id" | "accountId">) =>
    noteResource(session, { accountId, kind: "job", id });

  const endDamaged = createEndDamagedJob(jobs);

  return {
    forAccount: (accountId: string) => ({
      /**
       * Begins a job, unless one of its id is there.
       * @param most jobs of the account that may be open
       */
      begin: (job: NewJob, most: number, audit: Audit): Promise<JobBeginning> =>
        writes.transact(async (session) => {
          const known = await jobs.findOne({ _id: job._id, accountId }, { session });
          if (known) return { outcome: "known", job: known };
          const open = jobs.find({ accountId, slot: { $gte: 0 } }, { session, projection: { slot: 1 } });
          const used = new Set((await open.toArray()).map(({ slot }) => slot));
          const free = Array.from({ length: most }, (_, at) => at).filter((at) => !used.has(at));
          // Any of them: those that begin at once are less in each other's way.
          const slot = free[Math.floor(Math.random() * free.length)];
          if (slot === undefined) return { outcome: "too_many" };
          const counts = { done: 0, skipped: 0, failed: 0, steps: 0, takes: 0, epoch: 0 };
          const turn = { slot, turnAt: job.createdAt, ranAt: BEGINNING, expiresAt: BEGINNING };
          const begun: JobDocument = { ...job, accountId, state: "queued", ...counts, ...turn };
          await noteChange(session, begun);
          return { outcome: "begun", job: await audited.insert(session, audit, begun) };
        }),

      find: (id: string): Promise<JobDocument | null> => guarded(jobs.findOne({ _id: id, accountId })),

      /** Newest first. */
      async list({ state, before, limit }: JobPage): Promise<JobDocument[]> {
        const behind = before !== undefined && { _id: { $lt: before } };
        const filter = { accountId, ...(state && { state }), ...behind };
        const found = await readEach<JobDocument>((options) =>
          jobs.find(filter, options).sort({ _id: -1 }).limit(limit),
        );
        return found.documents;
      },

      /**
       * Ends a job that nobody has begun, or asks for the end of one under way.
       * @param end what the former becomes
       * @returns as it is now; null: there is none of this id. One that has ended before stays as it is
       */
      requestCancel: (
        id: string,
        end: Pick<JobDocument, "finishedAt" | "expireAt" | "cancelRequestedAt">,
        audit: Audit,
      ): Promise<JobDocument | null> =>
        writes.transact(async (session) => {
          const before = await jobs.findOne({ _id: id, accountId }, { session });
          if (!before || before.turnAt === undefined || before.cancelRequestedAt) return before;
          const ended = { $set: { ...end, state: "cancelled" as const }, $unset: ENDED };
          // It gets its turn at once, to end.
          const asked = { $set: { cancelRequestedAt: end.cancelRequestedAt, turnAt: BEGINNING } };
          const update = before.state === "queued" && before.takes === 0 ? ended : asked;
          const named = { _id: id, accountId, epoch: before.epoch };
          const after = await jobs.findOneAndUpdate(named, update as UpdateFilter<JobDocument>, {
            session,
            returnDocument: "after",
          });
          if (!after) return before;
          await audited.note(session, audit, before, after);
          await noteChange(session, after);
          return after;
        }),

      /** In the order of the steps. */
      async listResults(
        jobId: string,
        { outcome, from, limit }: JobResultsPage,
      ): Promise<JobResultsDocument[]> {
        const filter = {
          accountId,
          jobId,
          ...(outcome && { outcomes: outcome }),
          ...(from !== undefined && { _id: { $gte: from } }),
        };
        const found = await readEach<JobResultsDocument>((options) =>
          results.find(filter, options).sort({ _id: 1 }).limit(limit),
        );
        return found.documents;
      },
    }),

    acrossAccounts: {
      /**
       * Takes the turn of a job, under a lease that runs out by the store's clock: of the account that has waited longest.
       * @param onDamaged told of a job that cannot be worked on, which has ended: it keeps no other from its turn
       * @returns null: none has to be done now
       */
      async take(
        { kinds, holder, leaseMs, now: at }: TakeJob,
        onDamaged: (damaged: DamagedJob) => void = () => undefined,
      ): Promise<JobDocument | null> {
        const moment = now();
        const isFree = { $expr: { $not: [isHonoured("$expiresAt", moment, leaseMs)] } };
        const waiting = { turnAt: { $gte: BEGINNING, $lte: at }, kind: { $in: [...kinds] }, ...isFree };
        const { documents, unreadable } = await readEach<JobDocument>(
          (options) =>
            jobs
              .find(waiting as Filter<JobDocument>, options)
              .sort({ turnAt: 1, ranAt: 1 })
              .limit(LOOKED_AT),
          jobFault,
        );
        for (const one of unreadable) if (one.isAddressable) onDamaged(await endDamaged(one, at));
        const turn = {
          holder: { $literal: holder },
          expiresAt: later(moment, leaseMs),
          epoch: { $add: ["$epoch", 1] },
          takes: { $add: ["$takes", 1] },
        };
        for (const { _id, accountId } of documents) {
          const still = { _id, accountId, turnAt: { $gte: BEGINNING }, ...isFree } as Filter<JobDocument>;
          const job = await guarded(
            jobs.findOneAndUpdate(still, [{ $set: turn }], { returnDocument: "after" }),
          );
          if (job) return job;
        }
        // Those that come behind them may have their turn.
        if (unreadable.length > 0) return this.take({ kinds, holder, leaseMs, now: at }, onDamaged);
        return null;
      },

      /** Prolongs the lease of a turn; false: another one has come after it, or the job has ended. */
      async prolong(turn: JobTurn, leaseMs: number): Promise<boolean> {
        const change = { expiresAt: later(now(), leaseMs) };
        const { matchedCount } = await guarded(jobs.updateOne(ofTurn(turn), [{ $set: change }]));
        return matchedCount === 1;
      },

      /**
       * Stores what a step has done, and where the next one goes on: both or none.
       * @returns the job as it is then; null: another turn has come after this one, or the job has ended. Nothing is stored
       */
      save(turn: JobTurn, change: JobChange): Promise<JobDocument | null> {
        const { set, counts = {}, isOver } = change;
        const inc: Document = { ...counts };
        const update = {
          $set: set,
          ...(Object.keys(inc).length > 0 && { $inc: inc }),
          ...(isOver && { $unset: ENDED }),
        } as UpdateFilter<JobDocument>;
        return writes.transact(
          async (session) => {
            const after = await jobs.findOneAndUpdate(ofTurn(turn), update, {
              session,
              returnDocument: "after",
            });
            if (after && change.results) await results.insertOne(change.results, { session });
            if (after && change.items) await items.insertOne(change.items, { session });
            if (after) await noteChange(session, after);
            return after;
          },
          { retryDuplicates: false },
        );
      },

      /** What a step has found; none: nothing. */
      async itemsOf({ _id, accountId }: Pick<JobTurn, "_id" | "accountId">, step: number) {
        const found = await guarded(items.findOne({ _id: jobStepId(_id, step), accountId }));
        return found?.items ?? [];
      },

      /**
       * Gives a turn back. All jobs of its account wait from now on, so that no account has more turns by more jobs.
       * @param next when the job's next turn is
       * @param isUncounted it was given up for reasons of the process, and no try of the job
       */
      async release(turn: JobTurn, at: Date, next: Date, isUncounted: boolean): Promise<void> {
        const back = { $set: { expiresAt: BEGINNING, ranAt: at }, $max: { turnAt: next } };
        const update = isUncounted ? { ...back, $inc: { takes: -1 } } : back;
        await guarded(jobs.updateOne(ofTurn(turn), update));
        const { accountId } = turn;
        const others = { accountId, slot: { $gte: 0 }, cancelRequestedAt: { $exists: false } };
        await guarded(jobs.updateMany(others, { $max: { turnAt: at } }));
      },
    },
  };
}
