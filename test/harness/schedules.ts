import type { ScheduleDocument, ScheduleSettings, ScheduleWork } from "../../src/store/schedule-documents.ts";
import type { AccountStore, AcrossAccounts } from "../../src/store/store.ts";
import { testAudit } from "./audit.ts";

/** What somebody says of a schedule of a workspace. */
export const scheduleSettings: Omit<ScheduleSettings, "scope"> = {
  name: "Weekly report",
  cadence: { kind: "weekly", weekday: 1 },
  hour: 8,
  timezone: "Europe/Berlin",
  format: "html",
  paper: "a4",
  branding: {},
  recipients: ["it@example.com"],
  paused: false,
  from: "reports@example.com",
};

/** A report that was asked for. */
export function askedWork(since: Date): ScheduleWork {
  const period = { from: new Date(since.getTime() - 7 * 86_400_000), to: since, key: "week 2029-12-31" };
  return {
    key: `asked ${since.toISOString()}`,
    trigger: "asked",
    since,
    period,
    attempts: 0,
    interruptions: 0,
  };
}

/** A schedule of the first workspace that is due. */
export async function addSchedule(
  { workspaces, schedules }: Pick<AccountStore, "workspaces" | "schedules">,
  dueAt: Date,
): Promise<ScheduleDocument> {
  const { _id: id } = await workspaces.first(testAudit);
  return schedules.add(id, { ...scheduleSettings, scope: { type: "workspace", id } }, dueAt, testAudit);
}

/** The same with an attempt under way. */
export async function holdSchedule(
  account: Pick<AccountStore, "workspaces" | "schedules">,
  { schedules }: Pick<AcrossAccounts, "schedules">,
  { now, until }: { readonly now: Date; readonly until: Date },
) {
  const added = await addSchedule(account, now);
  const held = await schedules.hold(added, until, { work: askedWork(now), nextRunAt: until });
  if (!held) throw new Error("the schedule was changed");
  return held;
}
