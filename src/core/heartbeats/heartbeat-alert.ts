import type { Alert } from "../../alerts/alert.ts";
import {
  deadlineOf,
  type HeartbeatChange,
  type HeartbeatStep,
  withProgress,
} from "../../alerts/heartbeat.ts";
import { clockTime } from "../../shared/clock-time.ts";
import type { HeartbeatDocument } from "../../store/heartbeat-documents.ts";

/** The process that stores an alert submits it at once. The background check repeats it after this time. */
const RETRY_MS = 10_000;

/**
 * The heartbeat after a step: with its progress, the alert that is to be submitted, and the time of its next action.
 * @param exitStatus exit status of the job, if a ping reported it
 */
export function afterStep(
  before: HeartbeatDocument,
  { progress, change }: HeartbeatStep,
  now: Date,
  exitStatus?: number,
): HeartbeatDocument {
  const after = withProgress(before, progress);
  if (!change) return withDueTime(after, now);
  const number = before.changes + 1;
  const { status, at } = change;
  const pending = [...before.pending, { number, status, at, alert: alertOf(before, change, exitStatus) }];
  return withDueTime({ ...after, changes: number, pending }, now);
}

/** The heartbeat without the alerts that were submitted. */
export function afterSubmission(before: HeartbeatDocument, through: number, now: Date): HeartbeatDocument {
  return withDueTime({ ...before, pending: before.pending.filter(({ number }) => number > through) }, now);
}

function withDueTime({ dueAt: _, ...heartbeat }: HeartbeatDocument, now: Date): HeartbeatDocument {
  const isPending = heartbeat.pending.length > 0;
  const dueAt = isPending ? new Date(now.getTime() + RETRY_MS) : deadlineOf(heartbeat);
  return { ...heartbeat, ...(dueAt && { dueAt }) };
}

/** Content of an alert. Rules can match each of its fields. */
function alertOf(heartbeat: HeartbeatDocument, change: HeartbeatChange, exitStatus?: number): Alert {
  const { _id, name, severity, eventType, source, entityType, entityId, tags } = heartbeat;
  const { expectedAt, lastSuccessAt } = heartbeat;
  return {
    eventType,
    severity,
    source,
    message: messageOf(heartbeat, change, exitStatus),
    ...(entityId === undefined ? { entityType: "heartbeat" } : entityType !== undefined && { entityType }),
    entityId: entityId ?? name,
    context: {
      heartbeat_id: _id,
      heartbeat: name,
      reason: change.cause,
      ...(tags.length > 0 && { tags: [...tags] }),
      ...(change.cause === "missed" && expectedAt && { expected_at: expectedAt.toISOString() }),
      ...(lastSuccessAt && { last_success_at: lastSuccessAt.toISOString() }),
      ...(exitStatus !== undefined && { exit_status: exitStatus }),
    },
  };
}

function messageOf(
  { name, schedule, lastSuccessAt, expectedAt }: HeartbeatDocument,
  { cause, since, at }: HeartbeatChange,
  exitStatus: number | undefined,
): string {
  const zone = schedule.kind === "cron" ? schedule.timezone : "UTC";
  const named = `"${name}"`;
  const last = lastSuccessAt ? ` The last success ping came at ${clockTime(lastSuccessAt, zone)}.` : "";
  const status = exitStatus === undefined ? "" : ` with exit status ${exitStatus}`;
  const down = since ? ` It was down since ${clockTime(since, zone)}.` : "";
  switch (cause) {
    case "missed":
      return `No ping of ${named}, expected at ${clockTime(expectedAt ?? at, zone)}.${last}`;
    case "failed":
      return `${named} reported a failure${status}.`;
    case "returned":
      return `${named} reports again.${down}`;
    case "paused":
      return `${named} was paused.${down}`;
    case "deleted":
      return `${named} was deleted.${down}`;
  }
}
