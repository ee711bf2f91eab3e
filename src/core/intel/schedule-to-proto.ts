import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ScheduleRunSchema,
  ScheduleSchema,
  ScheduleWorkSchema,
} from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import type { ReportPeriod } from "../../intel/reports/report-calendar.ts";
import { reportLocale } from "../../intel/reports/report-locale.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { scheduleRevision } from "../../store/revisions.ts";
import type { ScheduleDocument, ScheduleRun, ScheduleWork } from "../../store/schedule-documents.ts";

export function toSchedule(schedule: ScheduleDocument, now: Date): MessageInitShape<typeof ScheduleSchema> {
  const { _id: id, workspaceId, name, scope, cadence, hour, timezone, format, paper } = schedule;
  const { sections = [], locale, branding, recipients, from, policy, paused } = schedule;
  const { createdAt, updatedAt, nextRunAt, work, lastRun } = schedule;
  return {
    id,
    workspaceId,
    name,
    scope,
    hour,
    timezone,
    format,
    paper,
    from,
    paused,
    cadence: cadence.kind,
    ...(cadence.kind === "weekly" ? { weekday: cadence.weekday } : { day: cadence.day }),
    sections: [...sections],
    recipients: [...recipients],
    revision: scheduleRevision(schedule),
    ...withoutUndefined({ locale: locale && reportLocale(locale), routingPolicy: policy }),
    ...(Object.keys(branding).length > 0 && { branding }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(nextRunAt && { nextRunAt: timestampFromDate(nextRunAt) }),
    ...(work && { underWay: toWork(work, schedule.dueAt, now) }),
    ...(lastRun && { lastRun: toRun(lastRun) }),
  };
}

function toWork(
  { since, trigger, period, attempts, heldUntil, reason }: ScheduleWork,
  dueAt: Date | undefined,
  now: Date,
): MessageInitShape<typeof ScheduleWorkSchema> {
  const isHeld = heldUntil !== undefined && heldUntil > now;
  return {
    since: timestampFromDate(since),
    trigger,
    ...spanOf(period),
    attempts,
    ...(!isHeld && dueAt && { retryAt: timestampFromDate(dueAt) }),
    ...withoutUndefined({ reason }),
  };
}

function toRun(run: ScheduleRun): MessageInitShape<typeof ScheduleRunSchema> {
  const { at, trigger, period, status, reason, code, reportId, messageIds } = run;
  return {
    at: timestampFromDate(at),
    trigger,
    ...spanOf(period),
    status,
    messageIds: [...messageIds],
    ...withoutUndefined({ reason, code, reportId }),
  };
}

function spanOf({ from, to }: ReportPeriod) {
  return { from: timestampFromDate(from), to: timestampFromDate(to) };
}
