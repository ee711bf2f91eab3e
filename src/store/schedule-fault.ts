import type { Collection } from "mongodb";
import { count, createShapeFault, date, fields, filled, optional, text, texts } from "./field-checks.ts";
import type { ScheduleDocument } from "./schedule-documents.ts";
import { guarded } from "./store-fault.ts";

const shapeFault = createShapeFault<ScheduleDocument>([
  ["_id", filled],
  ["accountId", filled],
  ["workspaceId", filled],
  ["name", text],
  ["scope", fields],
  ["branding", fields],
  ["recipients", texts],
  ["from", text],
  ["policy", optional(text)],
  ["paused", (value) => typeof value === "boolean"],
  ["nextRunAt", optional(date)],
  ["lastKey", optional(text)],
  ["work", optional(fields)],
  ["revision", count],
]);

const workFault = createShapeFault<NonNullable<ScheduleDocument["work"]>>([
  ["key", filled],
  ["trigger", filled],
  ["since", date],
  ["period", fields],
  ["attempts", count],
  ["interruptions", count],
  ["heldUntil", optional(date)],
  ["settled", optional(fields)],
]);

/** Why a due schedule cannot be processed; undefined: it can. */
export function scheduleFault(schedule: ScheduleDocument): string | undefined {
  const reason = shapeFault(schedule);
  if (reason !== undefined || schedule.work === undefined) return reason;
  const inWork = workFault(schedule.work);
  return inWork === undefined ? undefined : `work.${inWork}`;
}

/**
 * Makes schedules with an invalid `dueAt` due now: no query finds them as due, and they come first in the index, so
 * that only these are read.
 * @returns their ids
 */
export function createWakeStrays(schedules: Collection<ScheduleDocument>) {
  return async (now: Date): Promise<string[]> => {
    const first = schedules
      .find({ dueAt: { $exists: true } }, { projection: { dueAt: 1 } })
      .sort({ dueAt: 1 })
      .limit(STRAYS);
    const found = await guarded(first.toArray());
    const ids = found.flatMap(({ _id, dueAt }) => (date(dueAt) ? [] : [_id]));
    if (ids.length > 0) await guarded(schedules.updateMany({ _id: { $in: ids } }, { $set: { dueAt: now } }));
    return ids;
  };
}

/** Page size. The next call finds more. */
const STRAYS = 20;
