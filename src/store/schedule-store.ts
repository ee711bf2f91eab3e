import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { BUCKETS, bucketOf, newId } from "../shared/ids.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { intelCollections } from "./intel-collections.ts";
import type { ListPage } from "./list-page.ts";
import { createRequireResources, type NeededResources } from "./needed-resources.ts";
import { type Found, readEach } from "./read-each.ts";
import type { ResourceUsers } from "./resource-users.ts";
import { scheduleRevision } from "./revisions.ts";
import type {
  ScheduleDocument,
  ScheduleRun,
  ScheduleSettings,
  ScheduleWork,
  SettledReport,
} from "./schedule-documents.ts";
import { createWakeStrays, scheduleFault } from "./schedule-fault.ts";
import { guarded } from "./store-fault.ts";

/** Maximum number of schedules of one workspace. */
export const MAX_SCHEDULES = 1_000;

/** Reports of the same hour start within this time. */
const SPREAD_MS = 5 * 60_000;

/** An attempt, as identified in its stored data. */
type Attempt = Pick<ScheduleDocument, "_id" | "accountId"> & { readonly work: ScheduleWork };

/** A schedule with a claimed attempt. */
export type HeldSchedule = ScheduleDocument & Attempt;

/** End of an attempt: a retry, or the end of the report. */
export type AttemptEnd = { readonly retryAt: Date; readonly reason: string } | { readonly run: ScheduleRun };

/** Schedules of reports. A schedule stays when its scope is removed: each run reports the missing scope. */
export function createScheduleStore(
  db: Db,
  writes: AuditedWrites,
  { transact, users }: { readonly transact: AccountTransactions; readonly users: ResourceUsers },
) {
  const requireResources = createRequireResources(db);
  const { schedules, workspaces } = intelCollections(db);
  const audited = writes.of("schedule", schedules, scheduleRevision);

  return {
    forAccount: (accountId: string) => {
      /** Changes a schedule with an audit entry. null: there is none. @throws Fault resource.stale */
      const change = (
        id: string,
        audit: Audit,
        work: (before: ScheduleDocument) => ScheduleDocument,
        needed?: NeededResources,
        ifRevision?: string,
      ): Promise<ScheduleDocument | null> =>
        writes.transact(async (session) => {
          if (needed) {
            await users.exclude(session, accountId);
            await requireResources(session, accountId, needed);
          }
          const before = await schedules.findOne({ _id: id, accountId }, { session });
          if (!before) return null;
          checkRevision(ifRevision, scheduleRevision(before));
          const after = { ...work(before), revision: before.revision + 1 };
          return audited.update(session, audit, before, after);
        });

      return {
        find: (id: string) => guarded(schedules.findOne({ _id: id, accountId })),

        /** The earliest first. */
        async list(workspaceId: string, { after, limit }: ListPage): Promise<ScheduleDocument[]> {
          const behind = after !== undefined && { _id: { $gt: after } };
          const found = await readEach<ScheduleDocument>((options) =>
            schedules
              .find({ accountId, workspaceId, ...behind }, options)
              .sort({ _id: 1 })
              .limit(limit),
          );
          return found.documents;
        },

        /**
         * @param nextRunAt due time of its first report; undefined: paused
         * @throws Fault workspace.unknown, schedule.too_many, and for a missing referenced resource
         */
        add: (
          workspaceId: string,
          settings: ScheduleSettings,
          nextRunAt: Date | undefined,
          audit: Audit,
          needed: NeededResources = {},
        ): Promise<ScheduleDocument> =>
          transact(accountId, async (session) => {
            await users.exclude(session, accountId);
            await requireResources(session, accountId, needed);
            const workspace = await workspaces.findOne({ _id: workspaceId, accountId }, { session });
            if (!workspace) throw fault("workspace.unknown");
            const options = { session, limit: MAX_SCHEDULES };
            const count = await schedules.countDocuments({ accountId, workspaceId }, options);
            if (count >= MAX_SCHEDULES) throw fault("schedule.too_many");
            const at = audit.now();
            const _id = newId("rsc", at);
            return audited.insert(session, audit, {
              _id,
              accountId,
              workspaceId,
              ...settings,
              ...planOf(_id, nextRunAt),
              createdAt: at,
              updatedAt: at,
              revision: 0,
            });
          }),

        /**
         * Replaces the settings of a schedule. A running report continues, and a waiting retry is checked soon.
         * @param nextOf returns the due time of the next report from the former schedule; undefined: paused
         * @returns null: there is none
         */
        update: (
          id: string,
          settings: ScheduleSettings,
          nextOf: (before: ScheduleDocument) => Date | undefined,
          audit: Audit,
          needed: NeededResources = {},
          ifRevision?: string,
        ): Promise<ScheduleDocument | null> =>
          change(
            id,
            audit,
            (before) => {
              const { _id, workspaceId, createdAt, lastKey, work, lastRun, revision, dueAt } = before;
              const kept = {
                _id,
                accountId,
                workspaceId,
                createdAt,
                revision,
                ...(lastKey !== undefined && { lastKey }),
                ...(work && { work }),
                ...(lastRun && { lastRun }),
              };
              const updatedAt = audit.now();
              const plan = planOf(_id, nextOf(before));
              if (!work) return { ...kept, ...settings, ...plan, updatedAt };
              const due = isHeld(work, updatedAt) && dueAt ? dueAt : updatedAt;
              return { ...kept, ...settings, ...plan, dueAt: due, updatedAt };
            },
            needed,
            ifRevision,
          ),

        /**
         * Starts a report on request. If one is running, it is retried now.
         * @returns null: there is no such schedule
         */
        ask: (id: string, wanted: ScheduleWork, audit: Audit): Promise<ScheduleDocument | null> =>
          change(id, audit, (before) => {
            const { work = wanted } = before;
            const isBusy = isHeld(work, wanted.since);
            return isBusy ? before : { ...before, work, dueAt: wanted.since };
          }),

        /** False: there is none. */
        remove: async (id: string, audit: Audit, ifRevision?: string): Promise<boolean> =>
          (await audited.take({ _id: id, accountId }, audit, { ifRevision })) !== null,
      };
    },

    acrossAccounts: {
      /** Schedules with a due action, the longest waiting first. */
      listDue: (now: Date, limit: number): Promise<Found<ScheduleDocument>> =>
        readEach<ScheduleDocument>(
          (options) =>
            schedules
              .find({ dueAt: { $lte: now } }, options)
              .sort({ dueAt: 1 })
              .limit(limit),
          scheduleFault,
        ),

      wakeStrays: createWakeStrays(schedules),

      /**
       * Claims the next attempt for the caller until a time.
       * @param begun the report, with the schedule's changes if it starts now
       * @returns undefined: the schedule was changed concurrently
       */
      async hold(
        seen: ScheduleDocument,
        until: Date,
        begun: Pick<ScheduleDocument, "nextRunAt" | "lastKey"> & { readonly work: ScheduleWork },
      ): Promise<HeldSchedule | undefined> {
        const { _id, accountId, revision } = seen;
        const { attempts, interruptions, heldUntil, ...rest } = begun.work;
        const work = {
          ...rest,
          attempts: attempts + 1,
          heldUntil: until,
          // A finished attempt releases its claim.
          interruptions: interruptions + (heldUntil ? 1 : 0),
        };
        const held = { ...begun, work, dueAt: until, revision: revision + 1 };
        const result = await guarded(schedules.updateOne({ _id, accountId, revision }, { $set: held }));
        return result.matchedCount === 1 ? { ...seen, ...held } : undefined;
      },

      /** Records the contents and recipients of an attempt's mail. False: another attempt has followed. */
      async settle(attempt: Attempt, settled: SettledReport): Promise<boolean> {
        const set = { $set: { "work.settled": settled }, $inc: { revision: 1 } };
        const result = await guarded(schedules.updateOne(ofAttempt(attempt), set));
        return result.matchedCount === 1;
      },

      /** Ends an attempt. False: another one has followed, or the schedule no longer exists; nothing is changed then. */
      end: (attempt: Attempt, ended: AttemptEnd): Promise<boolean> =>
        writes.transact(async (session) => {
          const before = await schedules.findOne(ofAttempt(attempt), { session });
          if (!before?.work) return false;
          await schedules.replaceOne(ofAttempt(attempt), afterAttempt(before, before.work, ended), {
            session,
          });
          return true;
        }),

      /** Skips an unusable schedule until a time, so that it does not delay others. */
      async putOff(_id: string, until: Date): Promise<void> {
        await guarded(schedules.updateOne({ _id, dueAt: { $lt: until } }, { $set: { dueAt: until } }));
      },
    },
  };
}

function ofAttempt({ _id, accountId, work: { key, attempts } }: Attempt) {
  return { _id, accountId, "work.key": key, "work.attempts": attempts };
}

function isHeld({ heldUntil }: ScheduleWork, now: Date): boolean {
  return heldUntil !== undefined && heldUntil > now;
}

function afterAttempt(
  { work: _, dueAt: __, ...rest }: ScheduleDocument,
  { heldUntil: ___, ...work }: ScheduleWork,
  ended: AttemptEnd,
): ScheduleDocument {
  const revision = rest.revision + 1;
  if ("retryAt" in ended) {
    const { retryAt: dueAt, reason } = ended;
    return { ...rest, work: { ...work, reason }, dueAt, revision };
  }
  return { ...rest, ...planOf(rest._id, rest.nextRunAt), lastRun: ended.run, revision };
}

/**
 * Due time and start time of a report. The start is spread by the schedule's id, so that reports of the same hour do
 * not start at once.
 */
function planOf(id: string, nextRunAt: Date | undefined): Pick<ScheduleDocument, "nextRunAt" | "dueAt"> {
  if (!nextRunAt) return {};
  return {
    nextRunAt,
    dueAt: new Date(nextRunAt.getTime() + Math.floor((bucketOf(id) / BUCKETS) * SPREAD_MS)),
  };
}
