import type { ClientSession, Db } from "mongodb";
import type { OnCallOverride, OnCallSettings } from "../alerts/on-call/on-call-schedule.ts";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { newId } from "../shared/ids.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision, contentRevision } from "./content-revision.ts";
import type { MemberDocument, UserDocument } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { memberId } from "./member-store.ts";
import { type NewOverride, type OnCallScheduleDocument, onCallRevision } from "./oncall-documents.ts";
import type { PlainVersions } from "./plain-versions.ts";
import { readEach } from "./read-each.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { guarded } from "./store-fault.ts";

const MAX_ON_CALL_SCHEDULES = 200;
/** Overrides of one schedule, including ended ones that are still stored: a notification reads all current ones. */
export const MAX_OVERRIDES = 1_000;
/** Time for which an ended override stays visible. */
const KEPT_MS = 90 * 86_400_000;

interface Parts {
  readonly users: ResourceUsers;
  readonly versions: Pick<PlainVersions<OnCallScheduleDocument, object>, "recorder">;
}

/** On-call schedules and their overrides. */
export function createOncallStore(db: Db, writes: AuditedWrites, { users, versions }: Parts) {
  const schedules = db.collection<OnCallScheduleDocument>("onCallSchedules");
  const overrides = db.collection<OnCallOverride>("onCallOverrides");
  const members = db.collection<MemberDocument>("members");
  const allUsers = db.collection<UserDocument>("users");
  const audited = writes.of("on_call_schedule", schedules);
  const auditedOverrides = writes.of("on_call_override", overrides);

  return {
    forAccount: (accountId: string) => {
      const recorder = versions.recorder(accountId);

      /** Counts a change, so that concurrent changes of a schedule and its overrides exclude each other. */
      async function countEdit(session: ClientSession, scheduleId: string): Promise<OnCallScheduleDocument> {
        const options = { session, returnDocument: "after" } as const;
        const filter = { _id: scheduleId, accountId };
        const after = await schedules.findOneAndUpdate(filter, { $inc: { edits: 1 } }, options);
        if (!after) throw fault("on_call_schedule.unknown");
        return after;
      }

      /** Addresses of users who are members of the account, by user. Others, and unreadable ones, are missing. */
      async function addressesOf(userIds: readonly string[], session?: ClientSession) {
        const within = session && { session };
        const ids = userIds.map((userId) => memberId(accountId, userId));
        const present = await readEach<MemberDocument>((options) =>
          members.find({ _id: { $in: ids }, accountId }, { ...options, ...within }),
        );
        const presentIds = present.documents.map(({ userId }) => userId);
        const found = await readEach<UserDocument>((options) =>
          allUsers.find({ _id: { $in: presentIds } }, { ...options, ...within }),
        );
        return new Map(found.documents.map(({ _id, email }) => [_id, email]));
      }

      return {
        /**
         * Creates a schedule, or changes the one with this name. Equal settings change nothing.
         * @param ifRevision the revision on which the change is based, or `none`; undefined: any
         * @param restores number of the version with these settings: the schedule must exist; missing: none
         * @param check receives the ids of participants that are not members; it throws to refuse the change
         * @throws Fault on_call_schedule.too_many, on_call_schedule.unknown, resource.stale, and those of `check`
         */
        put: (
          settings: OnCallSettings,
          audit: Audit,
          check: (strangers: ReadonlySet<string>) => void,
          { ifRevision, restores }: { readonly ifRevision?: string; readonly restores?: number } = {},
        ): Promise<{ readonly schedule: OnCallScheduleDocument; readonly isNew: boolean }> =>
          writes.transact(async (session) => {
            const { name } = settings;
            const before = await schedules.findOne({ accountId, name }, { session });
            if (!before && restores !== undefined) throw fault("on_call_schedule.unknown");
            checkRevision(ifRevision, before ? onCallRevision(before) : undefined);
            if (before && contentRevision(before.settings) === contentRevision(settings))
              return { schedule: before, isNew: false };
            const participants = settings.layers.flatMap((layer) => layer.participants);
            const userIds = [...new Set(participants.flatMap(({ userId }) => userId ?? []))];
            const present = await addressesOf(userIds, session);
            check(new Set(userIds.filter((userId) => !present.has(userId))));
            // Concurrent creations together must not exceed the limit.
            if (!before) await users.exclude(session, accountId);
            const options = { session, limit: MAX_ON_CALL_SCHEDULES };
            const count = before ? 0 : await schedules.countDocuments({ accountId }, options);
            if (count >= MAX_ON_CALL_SCHEDULES) throw fault("on_call_schedule.too_many");
            const at = audit.now();
            const schedule: OnCallScheduleDocument = {
              _id: before?._id ?? newId("ocs", at),
              accountId,
              name,
              settings,
              edits: (before?.edits ?? 0) + 1,
              createdAt: before?.createdAt ?? at,
              updatedAt: at,
            };
            if (before) await audited.update(session, audit, before, schedule);
            else await audited.insert(session, audit, schedule);
            const origin = { former: before ?? undefined, author: audit.actor, restores };
            await recorder.record(session, schedule, origin);
            return { schedule, isNew: !before };
          }),

        find: (name: string) => guarded(schedules.findOne({ accountId, name })),

        /** Existing schedules with these names, unordered. */
        findNamed: (names: readonly string[]) =>
          guarded(schedules.find({ accountId, name: { $in: [...names] } }).toArray()),

        /** By name. */
        list: (page: ListPage) => readPage(schedules, { accountId }, page, "name"),

        /**
         * Removes a schedule with its overrides. False: there is no such schedule.
         * @param check receives the rules that use the schedule
         * @throws Fault resource.stale, and those of `check`
         */
        remove: (name: string, audit: Audit, check: CheckUse, ifRevision?: string): Promise<boolean> =>
          writes.transact(async (session) => {
            await users.exclude(session, accountId);
            const before = await schedules.findOne({ accountId, name }, { session });
            if (!before) return false;
            checkRevision(ifRevision, onCallRevision(before));
            check(await users.ofOnCallSchedule(session, accountId, name));
            await audited.remove(session, audit, before);
            await overrides.deleteMany({ accountId, scheduleId: before._id }, { session });
            await recorder.expire(session, before, audit.now());
            return true;
          }),

        /** Addresses of users who are members of the account, by user. Others, and unreadable ones, are missing. */
        addresses: (userIds: readonly string[]): Promise<ReadonlyMap<string, string>> => addressesOf(userIds),

        /**
         * Adds overrides, of which the last one has the highest priority.
         * @param edits changes of the schedule on which the overrides are based; undefined: any
         * @returns undefined: the schedule has changed since, and nothing was added
         * @throws Fault on_call_schedule.unknown, on_call_override.too_many, member.unknown
         */
        addOverrides: (
          scheduleId: string,
          added: readonly NewOverride[],
          audit: Audit,
          edits?: number,
        ): Promise<OnCallOverride[] | undefined> =>
          writes.transact(async (session) => {
            if (edits !== undefined) {
              const present = await schedules.findOne({ _id: scheduleId, accountId }, { session });
              if (present?.edits !== edits) return undefined;
            }
            const schedule = await countEdit(session, scheduleId);
            const userIds = added.flatMap(({ participant }) => participant.userId ?? []);
            const present = await addressesOf(userIds, session);
            if (userIds.some((userId) => !present.has(userId))) throw fault("member.unknown");
            const filter = { accountId, scheduleId };
            const count = await overrides.countDocuments(filter, { session, limit: MAX_OVERRIDES });
            if (count + added.length > MAX_OVERRIDES) throw fault("on_call_override.too_many");
            const at = audit.now();
            const stored: OnCallOverride[] = [];
            for (const one of added)
              stored.push(
                await auditedOverrides.insert(session, audit, {
                  _id: newId("oco", at),
                  accountId,
                  scheduleId,
                  number: schedule.edits,
                  ...one,
                  createdBy: audit.actor.name,
                  createdAt: at,
                  expireAt: new Date(one.until.getTime() + KEPT_MS),
                }),
              );
            return stored;
          }),

        /** The latest first, including ended ones. */
        listOverrides: (scheduleId: string, page: ListPage) =>
          readPage(overrides, { accountId, scheduleId }, page, "-_id"),

        /** Overrides of schedules that apply at some time of a range, unordered. */
        overridesIn: (scheduleIds: readonly string[], from: Date, until: Date): Promise<OnCallOverride[]> => {
          const times = { until: { $gt: from }, from: { $lt: until } };
          const found = overrides.find({ accountId, scheduleId: { $in: [...scheduleIds] }, ...times });
          return guarded(found.toArray());
        },

        /**
         * Removes an override that has not begun, and ends one that has begun.
         * @throws Fault on_call_schedule.unknown, on_call_override.unknown
         */
        endOverride: (scheduleId: string, id: string, audit: Audit): Promise<void> =>
          writes.transact(async (session) => {
            const before = await overrides.findOne({ _id: id, accountId, scheduleId }, { session });
            if (!before) throw fault("on_call_override.unknown");
            const now = audit.now();
            if (before.until <= now) return;
            await countEdit(session, scheduleId);
            if (before.from >= now) {
              await auditedOverrides.remove(session, audit, before);
              return;
            }
            const expireAt = new Date(now.getTime() + KEPT_MS);
            await auditedOverrides.update(session, audit, before, { ...before, until: now, expireAt });
          }),
      };
    },
  };
}
