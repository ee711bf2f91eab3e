import type { ScheduleDocument, ScheduleSettings, ScheduleWork } from "../../src/store/schedule-documents.ts";
import type { AccountStore, AcrossAccounts } from "../../src/store/store.ts";
import { testAudit } from "./audit.ts";

/** Settings of a schedule of a workspace. */
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

/** A requested report. */
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

/** Adds a due schedule of the first workspace. */
export async function addSchedule(
  { workspaces, schedules }: Pick<AccountStore, "workspaces" | "schedules">,
  dueAt: Date,
): Promise<ScheduleDocument> {
  const { _id: id } = await workspaces.first(testAudit);
  return schedules.add(id, { ...scheduleSettings, scope: { type: "workspace", id } }, dueAt, testAudit);
}

/** The same with a running attempt. */
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
