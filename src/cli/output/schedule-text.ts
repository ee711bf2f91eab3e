import type { Schedule } from "../../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import type { Paint } from "./paint.ts";
import { factLines } from "./table.ts";
import { plainTime, printable } from "./text.ts";

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** For example `mondays at 8:00`. */
export function cadenceText({ weekday, day, hour }: Schedule): string {
  const days = weekday === undefined ? `on day ${day} of the month` : `${WEEKDAYS[weekday - 1]}s`;
  return `${days} at ${hour}:00`;
}

/** Status of the present or the last report. */
export function lastText({ lastRun, underWay }: Schedule): string {
  if (underWay) return underWay.reason === undefined ? "in progress" : "retrying";
  return lastRun ? lastRun.status : "-";
}

/** A schedule of reports for people. */
export function describeSchedule(paint: Paint, schedule: Schedule): string {
  return [paint("bold", printable(schedule.name)), ...factLines(paint, factsOf(schedule))].join("\n");
}

function factsOf(schedule: Schedule): [string, string][] {
  const { scope, recipients, sections, branding, underWay, lastRun } = schedule;
  return [
    ["Id", schedule.id],
    ["Scope", `${scope?.type ?? ""} ${scope?.id ?? ""}`],
    ["Cadence", `${cadenceText(schedule)} (${schedule.timezone})`],
    ["Next", plainTime(schedule.nextRunAt) || "none: it is paused"],
    ["Format", schedule.format === "pdf" ? `pdf, ${schedule.paper}` : schedule.format],
    ["Sections", sections.join(", ")],
    ["Locale", schedule.locale ?? ""],
    ["Branding", [branding?.name, branding?.color].filter((one) => one !== undefined).join(", ")],
    ["From", schedule.from],
    ["To", recipients.join(", ") || "the contacts of the client"],
    ["Policy", schedule.routingPolicy ?? ""],
    ["In progress", underWay ? `since ${plainTime(underWay.since)}, attempts: ${underWay.attempts}` : ""],
    ["Error", underWay?.reason ?? ""],
    ["Next attempt", underWay?.reason === undefined ? "" : plainTime(underWay.retryAt)],
    ["Last", lastRun ? `${lastRun.status} at ${plainTime(lastRun.at)}` : "none yet"],
    ["Reason", lastRun?.reason ?? ""],
    ["Report", lastRun?.reportId ?? ""],
    ["Messages", lastRun?.messageIds.join(", ") ?? ""],
  ];
}
