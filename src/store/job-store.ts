import type { ClientSession, Db, Document, Filter, UpdateFilter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import {
  JOB_RETENTION_MS,
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

/** A job before its start. The store adds the scheduling fields. */
export type NewJob = Pick<
  JobDocument,
  "_id" | "kind" | "params" | "about" | "permission" | "startedBy" | "createdAt"
> & {
  /** Items that are known before the first step: those that `itemsOf` returns for the first steps. */
  readonly items?: readonly (readonly string[])[] | undefined;
};

/** `known`: a job with this id was started before. `too_many`: the account has too many open jobs. */
export type JobBeginning =
  | { readonly outcome: "begun" | "known"; readonly job: JobDocument }
  | { readonly outcome: "too_many" };

export interface JobPage {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
  /** Exclusive. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface JobResultsPage {
  /** Only documents with such results. */
  readonly outcome?: JobOutcome | undefined;
  /** Inclusive. */
  readonly from?: string | undefined;
  readonly limit: number;
}

/** A time slice, as identified in its writes. */
export type JobSlice = Pick<JobDocument, "_id" | "accountId" | "epoch">;

/** Changes of a job by a time slice. */
export interface JobChange {
  readonly set: Partial<Omit<JobDocument, "_id" | "accountId" | "epoch">>;
  /** Added to the counts. */
  readonly counts?: Readonly<Partial<Record<JobOutcome, number>>>;
  readonly results?: JobResultsDocument | undefined;
  readonly items?: JobItemsDocument | undefined;
  /** True: the job has ended and gets no further time slice. */
  readonly isOver?: boolean;
}

export interface TakeJob {
  /** Kinds that the process can run. */
  readonly kinds: readonly string[];
  readonly holder: string;
  readonly leaseMs: number;
  /** Jobs with a later time slice are skipped. */
  readonly now: Date;
}

const BEGINNING = new Date(0);
/** Other processes may claim a job between read and claim, and one may be damaged. */
const MAX_CHECKED = 5;

/** @param now the store's clock; tests replace it */
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

  const ofSlice = ({ _id, accountId, epoch }: JobSlice) => ({
    _id,
    accountId,
    epoch,
    turnAt: { $gte: BEGINNING },
  });

  const noteChange = (session: ClientSession, { _id: id, accountId }: Pick<JobSlice, "_id" | "accountId">) =>
    noteResource(session, { accountId, kind: "job", id });

  const endDamaged = createEndDamagedJob(jobs);

  return {
    forAccount: (accountId: string) => ({
      /**
       * Starts a job unless its id exists.
       * @param most maximum number of open jobs of the account
       */
      begin: ({ items: known = [], ...job }: NewJob, most: number, audit: Audit): Promise<JobBeginning> =>
        writes.transact(async (session) => {
          const earlier = await jobs.findOne({ _id: job._id, accountId }, { session });
          if (earlier) return { outcome: "known", job: earlier };
          const open = jobs.find({ accountId, slot: { $gte: 0 } }, { session, projection: { slot: 1 } });
          const used = new Set((await open.toArray()).map(({ slot }) => slot));
          const free = Array.from({ length: most }, (_, at) => at).filter((at) => !used.has(at));
          // A random slot, so that concurrent starts conflict less.
          const slot = free[Math.floor(Math.random() * free.length)];
          if (slot === undefined) return { outcome: "too_many" };
          const counts = { done: 0, skipped: 0, failed: 0, steps: 0, takes: 0, epoch: 0 };
          const slice = { slot, turnAt: job.createdAt, ranAt: BEGINNING, expiresAt: BEGINNING };
          const begun: JobDocument = { ...job, accountId, state: "queued", ...counts, ...slice };
          await noteChange(session, begun);
          const expireAt = new Date(job.createdAt.getTime() + JOB_RETENTION_MS);
          const parts = known.map((some, step) => ({
            _id: jobStepId(job._id, step),
            accountId,
            items: some,
            expireAt,
          }));
          if (parts.length > 0) await items.insertMany(parts, { session });
          return { outcome: "begun", job: await audited.insert(session, audit, begun) };
        }),

      find: (id: string): Promise<JobDocument | null> => guarded(jobs.findOne({ _id: id, accountId })),

      /** Newest first. */
      async list({ state, kind, before, limit }: JobPage): Promise<JobDocument[]> {
        const behind = before !== undefined && { _id: { $lt: before } };
        const filter = { accountId, ...(state && { state }), ...(kind && { kind }), ...behind };
        const found = await readEach<JobDocument>((options) =>
          jobs.find(filter, options).sort({ _id: -1 }).limit(limit),
        );
        return found.documents;
      },

      /**
       * Ends a queued job, or requests the end of a running one.
       * @param end new fields of a queued job
       * @returns the current job; null: there is none with this id. A job that has already ended stays unchanged
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
          // It gets its next time slice at once, in order to end.
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
       * Claims the next time slice, of the account that has waited longest, under a lease by the store's clock.
       * @param onDamaged called for a job that cannot be processed and was ended; it delays no other job
       * @returns null: none is due
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
              .limit(MAX_CHECKED),
          jobFault,
        );
        for (const one of unreadable) if (one.isAddressable) onDamaged(await endDamaged(one, at));
        const slice = {
          holder: { $literal: holder },
          expiresAt: later(moment, leaseMs),
          epoch: { $add: ["$epoch", 1] },
          takes: { $add: ["$takes", 1] },
        };
        for (const { _id, accountId } of documents) {
          const still = { _id, accountId, turnAt: { $gte: BEGINNING }, ...isFree } as Filter<JobDocument>;
          const job = await guarded(
            jobs.findOneAndUpdate(still, [{ $set: slice }], { returnDocument: "after" }),
          );
          if (job) return job;
        }
        // The following jobs may be due.
        if (unreadable.length > 0) return this.take({ kinds, holder, leaseMs, now: at }, onDamaged);
        return null;
      },

      /** Extends the lease of a time slice; false: another one has followed it, or the job has ended. */
      async prolong(slice: JobSlice, leaseMs: number): Promise<boolean> {
        const change = { expiresAt: later(now(), leaseMs) };
        const { matchedCount } = await guarded(jobs.updateOne(ofSlice(slice), [{ $set: change }]));
        return matchedCount === 1;
      },

      /**
       * Stores the results of a step and the following position, atomically.
       * @returns the stored job; null: another time slice has followed this one, or the job has ended, and nothing
       * was stored
       */
      save(slice: JobSlice, change: JobChange): Promise<JobDocument | null> {
        const { set, counts = {}, isOver } = change;
        const inc: Document = { ...counts };
        const update = {
          $set: set,
          ...(Object.keys(inc).length > 0 && { $inc: inc }),
          ...(isOver && { $unset: ENDED }),
        } as UpdateFilter<JobDocument>;
        return writes.transact(
          async (session) => {
            const after = await jobs.findOneAndUpdate(ofSlice(slice), update, {
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

      /** Items that a step has found; may be empty. */
      async itemsOf({ _id, accountId }: Pick<JobSlice, "_id" | "accountId">, step: number) {
        const found = await guarded(items.findOne({ _id: jobStepId(_id, step), accountId }));
        return found?.items ?? [];
      },

      /**
       * Returns a time slice. All jobs of its account wait from now on, so that an account does not get more time
       * slices with more jobs.
       * @param next start of the job's next time slice
       * @param isUncounted it ended for a reason of the process, and does not count as a try of the job
       */
      async release(slice: JobSlice, at: Date, next: Date, isUncounted: boolean): Promise<void> {
        const back = { $set: { expiresAt: BEGINNING, ranAt: at }, $max: { turnAt: next } };
        const update = isUncounted ? { ...back, $inc: { takes: -1 } } : back;
        await guarded(jobs.updateOne(ofSlice(slice), update));
        const { accountId } = slice;
        const others = { accountId, slot: { $gte: 0 }, cancelRequestedAt: { $exists: false } };
        await guarded(jobs.updateMany(others, { $max: { turnAt: at } }));
      },
    },
  };
}
