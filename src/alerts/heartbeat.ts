import { nextCronTime, parseCron } from "./cron.ts";

export type HeartbeatSchedule =
  | { readonly kind: "period"; readonly periodMs: number }
  | { readonly kind: "cron"; readonly expression: string; readonly timezone: string };

/** When a ping is expected. */
export interface HeartbeatTimes {
  readonly schedule: HeartbeatSchedule;
  /** Time after the expected time until an alert is raised. */
  readonly graceMs: number;
}

/** `success`: the job succeeded; `start`: it began; `fail`: it failed. */
export const pingKinds = ["success", "start", "fail"] as const;
export type PingKind = (typeof pingKinds)[number];

/** Progress of a heartbeat. Its pings, the background check and its own changes write it. */
export interface HeartbeatProgress {
  readonly paused: boolean;
  /** Time of the next expected ping. Missing: new, down or paused. */
  readonly expectedAt?: Date;
  /** Last ping of any kind. */
  readonly lastPingAt?: Date;
  readonly lastPingKind?: PingKind;
  /** Last success ping. Missing: there was none yet. */
  readonly lastSuccessAt?: Date;
  /** A `start` without its end. */
  readonly startedAt?: Date;
  /** Duration between the last `start` and its end. */
  readonly durationMs?: number;
  /** End of an outage of Hermod that counts as a success ping. Missing: there was none since the last ping. */
  readonly excusedAt?: Date;
  /** The alert is active. */
  readonly down?: { readonly since: Date; readonly reason: "missed" | "failed" };
  /** Time of the last raised or resolved alert. */
  readonly changedAt?: Date;
}

export type Heartbeat = HeartbeatTimes & HeartbeatProgress;

export const heartbeatStates = ["new", "up", "late", "down", "paused"] as const;
/**
 * - `new`: waits for its first success ping
 * - `up`: the next ping is not expected yet
 * - `late`: a ping is expected, and the grace time is not over
 * - `down`: its alert is active
 * - `paused`: expects no pings
 */
type HeartbeatState = (typeof heartbeatStates)[number];

/** A change of the alert of a heartbeat. */
export interface HeartbeatChange {
  readonly status: "firing" | "resolved";
  readonly cause: "missed" | "failed" | "returned" | "paused" | "deleted";
  /** Never before the previous change. */
  readonly at: Date;
  /** Beginning of the downtime, for `resolved`. */
  readonly since?: Date;
}

/** Next progress, and the change of its alert, if any. */
export interface HeartbeatStep {
  readonly progress: HeartbeatProgress;
  readonly change?: HeartbeatChange;
}

/** A time during which Hermod could not receive pings. */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

export function heartbeatState({ paused, down, expectedAt }: HeartbeatProgress, now: Date): HeartbeatState {
  if (paused) return "paused";
  if (down) return "down";
  if (!expectedAt) return "new";
  return expectedAt <= now ? "late" : "up";
}

/** First expected time after a moment; undefined: the expression has no time. */
export function expectedAfter({ schedule }: Pick<HeartbeatTimes, "schedule">, at: Date): Date | undefined {
  if (schedule.kind === "period") return new Date(at.getTime() + schedule.periodMs);
  const times = parseCron(schedule.expression);
  return times && nextCronTime(times, schedule.timezone, at);
}

/** Time from which a missing ping raises an alert; undefined: none is expected. */
export function deadlineOf({ expectedAt, graceMs }: Heartbeat): Date | undefined {
  return expectedAt && new Date(expectedAt.getTime() + graceMs);
}

/** Takes a ping. A paused heartbeat only remembers it. */
export function takePing(heartbeat: Heartbeat, kind: PingKind, at: Date): HeartbeatStep {
  const before = progressOf(heartbeat);
  const pinged = { ...before, lastPingAt: at, lastPingKind: kind };
  if (kind === "start") return { progress: { ...pinged, startedAt: at } };
  const { startedAt, excusedAt: _, ...ended } = pinged;
  const durationMs = startedAt && at.getTime() - startedAt.getTime();
  const isMeasured = durationMs !== undefined && durationMs >= 0;
  const measured = { ...without(ended, "durationMs"), ...(isMeasured && { durationMs }) };
  if (kind === "fail") return takeFailure(measured, at);
  const succeeded = { ...measured, lastSuccessAt: at };
  if (before.paused) return { progress: succeeded };
  const next = expectedFrom(heartbeat, without(succeeded, "down"), at);
  if (!before.down) return { progress: next };
  return changed(next, before, { status: "resolved", cause: "returned", at });
}

function takeFailure(progress: HeartbeatProgress, at: Date): HeartbeatStep {
  if (progress.paused || progress.down) return { progress };
  const next = { ...without(progress, "expectedAt"), down: { since: at, reason: "failed" as const } };
  return changed(next, progress, { status: "firing", cause: "failed", at });
}

/**
 * The time in which the expected ping could arrive. A job with a period may be as early as it may be late; a job of a
 * cron expression begins at its time.
 */
export function pingWindow(heartbeat: Heartbeat): Outage | undefined {
  const { schedule, graceMs, expectedAt, excusedAt, lastSuccessAt } = heartbeat;
  const to = deadlineOf(heartbeat);
  if (!expectedAt || !to) return undefined;
  const early = expectedAt.getTime() - (schedule.kind === "period" ? graceMs : 0);
  return { from: new Date(Math.max(early, (excusedAt ?? lastSuccessAt)?.getTime() ?? 0)), to };
}

/**
 * Decides about a missing ping at or after its deadline. If Hermod could not receive for a part of the time in which it
 * could arrive, the end of the outage counts as a success ping: once in a row, so that an outage in every period does
 * not hide a job that never reports. A further ping is excused only if Hermod could not receive from its expected time
 * until its deadline.
 * @param outage the last one that overlaps `pingWindow`; undefined: there was none
 */
export function missPing(heartbeat: Heartbeat, outage: Outage | undefined): HeartbeatStep {
  const before = progressOf(heartbeat);
  const deadline = deadlineOf(heartbeat);
  if (!deadline || before.paused || before.down) return { progress: before };
  if (outage && isExcused(heartbeat, deadline, outage)) {
    return { progress: expectedFrom(heartbeat, { ...before, excusedAt: outage.to }, outage.to) };
  }
  const next = { ...without(before, "expectedAt"), down: { since: deadline, reason: "missed" as const } };
  return changed(next, before, { status: "firing", cause: "missed", at: deadline });
}

function isExcused({ excusedAt, expectedAt }: Heartbeat, deadline: Date, { from, to }: Outage): boolean {
  return !excusedAt || (expectedAt !== undefined && from <= expectedAt && to >= deadline);
}

/** An active alert is resolved. */
export function pauseHeartbeat(heartbeat: Heartbeat, at: Date): HeartbeatStep {
  return standStill({ ...progressOf(heartbeat), paused: true }, "paused", at);
}

/** Ends an active alert before the heartbeat is deleted. */
export function endHeartbeat(heartbeat: Heartbeat, at: Date): HeartbeatStep {
  return standStill(progressOf(heartbeat), "deleted", at);
}

function standStill(before: HeartbeatProgress, cause: "paused" | "deleted", at: Date): HeartbeatStep {
  const { expectedAt: _, excusedAt: __, startedAt: ___, down, ...progress } = before;
  return down ? changed(progress, before, { status: "resolved", cause, at }) : { progress };
}

/** A new period begins. A heartbeat without any success ping waits for its first one. */
export function resumeHeartbeat(heartbeat: Heartbeat, at: Date): HeartbeatStep {
  const before = progressOf(heartbeat);
  if (!before.paused) return { progress: before };
  const progress = { ...before, paused: false };
  return { progress: before.lastSuccessAt ? expectedFrom(heartbeat, progress, at) : progress };
}

/** Applies other times: a new period begins. */
export function retimeHeartbeat(heartbeat: Heartbeat, times: HeartbeatTimes, at: Date): HeartbeatStep {
  const before = progressOf(heartbeat);
  if (!before.expectedAt) return { progress: before };
  return { progress: expectedFrom(times, without(before, "excusedAt"), at) };
}

function expectedFrom(
  times: Pick<HeartbeatTimes, "schedule">,
  progress: HeartbeatProgress,
  at: Date,
): HeartbeatProgress {
  const expectedAt = expectedAfter(times, at);
  return { ...without(progress, "expectedAt"), ...(expectedAt && { expectedAt }) };
}

function changed(
  progress: HeartbeatProgress,
  { changedAt, down }: HeartbeatProgress,
  { at: wanted, ...rest }: HeartbeatChange,
): HeartbeatStep {
  const at = changedAt && changedAt > wanted ? changedAt : wanted;
  const since = rest.status === "resolved" && down ? { since: down.since } : {};
  return { progress: { ...progress, changedAt: at }, change: { ...rest, ...since, at } };
}

const PROGRESS_FIELDS = [
  "paused",
  "expectedAt",
  "lastPingAt",
  "lastPingKind",
  "lastSuccessAt",
  "startedAt",
  "durationMs",
  "excusedAt",
  "down",
  "changedAt",
] as const satisfies readonly (keyof HeartbeatProgress)[];

export function progressOf(heartbeat: HeartbeatProgress): HeartbeatProgress {
  const found = PROGRESS_FIELDS.map((name) => [name, heartbeat[name]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as unknown as HeartbeatProgress;
}

/** The heartbeat with another progress. */
export function withProgress<T extends HeartbeatProgress>(heartbeat: T, progress: HeartbeatProgress): T {
  const names: ReadonlySet<string> = new Set(PROGRESS_FIELDS);
  const rest = Object.entries(heartbeat).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(rest), ...progress } as T;
}

function without<K extends keyof HeartbeatProgress>(
  progress: HeartbeatProgress,
  field: K,
): Omit<HeartbeatProgress, K> {
  const { [field]: _, ...rest } = progress;
  return rest;
}
