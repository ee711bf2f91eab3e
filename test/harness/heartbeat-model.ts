/**
 * A plain model of the heartbeats in docs/reference/heartbeats.md: numbers instead of documents, and a search of every minute
 * instead of a computed next time.
 */

const MINUTE_MS = 60_000;

/** A period, or local times of a zone. */
export type ModelTimes =
  | { readonly periodMs: number; readonly graceMs: number }
  | {
      readonly zone: string;
      /** Whether a local time is one of the expression. @param weekday 0 is Sunday */
      readonly isTime: (hour: number, minute: number, weekday: number) => boolean;
      readonly graceMs: number;
    };

interface ModelAlert {
  readonly status: "firing" | "resolved";
  readonly reason: "missed" | "failed" | "returned" | "paused";
  readonly atMs: number;
}

interface ModelOutage {
  readonly fromMs: number;
  readonly toMs: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const known = new Map<string, number>();

/** Local time in minutes since Sunday. */
function localMinute(zone: string, atMs: number): number {
  const name = `${zone} ${atMs}`;
  const found = known.get(name) ?? readLocalMinute(zone, atMs);
  known.set(name, found);
  return found;
}

function readLocalMinute(zone: string, atMs: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.indexOf(parts.get("weekday") ?? "");
  return (day * 24 + Number(parts.get("hour"))) * 60 + Number(parts.get("minute"));
}

const WEEK_MINUTES = 7 * 24 * 60;

/** The first minute after a time that is expected, found by a check of every minute. */
function nextLocalTime({ zone, isTime }: Extract<ModelTimes, { zone: string }>, afterMs: number): number {
  const matches = (minute: number) =>
    isTime(Math.floor(minute / 60) % 24, minute % 60, Math.floor(minute / 1440));
  for (let at = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS; ; at += MINUTE_MS) {
    const [before, now] = [localMinute(zone, at - MINUTE_MS), localMinute(zone, at)];
    const step = (now - before + WEEK_MINUTES) % WEEK_MINUTES;
    // The clock went forward: the skipped minutes happen now.
    if (step > 1 && step < 1440) {
      for (let skipped = 1; skipped < step; skipped++)
        if (matches((before + skipped) % WEEK_MINUTES)) return at;
    }
    if (!matches(now)) continue;
    // The clock went back, and this local time was there within the last three hours.
    const hours = Array.from({ length: 180 }, (_, index) => at - (index + 1) * MINUTE_MS);
    if (!hours.some((earlier) => localMinute(zone, earlier) === now)) return at;
  }
}

export function createHeartbeatModel(first: ModelTimes) {
  let times = first;
  let expectedMs: number | undefined;
  let lastSuccessMs: number | undefined;
  let excusedMs: number | undefined;
  let isDown = false;
  let isPaused = false;
  let lastChangeMs = 0;
  const outages: ModelOutage[] = [];
  const alerts: ModelAlert[] = [];

  const nextAfter = (atMs: number) => ("zone" in times ? nextLocalTime(times, atMs) : atMs + times.periodMs);

  function tell(status: ModelAlert["status"], reason: ModelAlert["reason"], atMs: number): void {
    isDown = status === "firing";
    lastChangeMs = Math.max(lastChangeMs, atMs);
    alerts.push({ status, reason, atMs: lastChangeMs });
  }

  return {
    alerts,
    get state() {
      return { expectedMs, isDown, isPaused };
    },

    succeed(atMs: number): void {
      lastSuccessMs = atMs;
      excusedMs = undefined;
      if (isPaused) return;
      expectedMs = nextAfter(atMs);
      if (isDown) tell("resolved", "returned", atMs);
    },

    fail(atMs: number): void {
      excusedMs = undefined;
      if (isPaused || isDown) return;
      expectedMs = undefined;
      tell("firing", "failed", atMs);
    },

    pause(atMs: number): void {
      if (isPaused) return;
      isPaused = true;
      expectedMs = undefined;
      excusedMs = undefined;
      if (isDown) tell("resolved", "paused", atMs);
    },

    resume(atMs: number): void {
      if (!isPaused) return;
      isPaused = false;
      if (lastSuccessMs !== undefined) expectedMs = nextAfter(atMs);
    },

    change(changed: ModelTimes, atMs: number): void {
      times = changed;
      if (expectedMs === undefined) return;
      excusedMs = undefined;
      expectedMs = nextAfter(atMs);
    },

    /** Hermod did not run. */
    outage(fromMs: number, toMs: number): void {
      outages.push({ fromMs, toMs });
    },

    /** A worker checks for missed pings. */
    check(nowMs: number): void {
      while (expectedMs !== undefined && expectedMs + times.graceMs <= nowMs) {
        const deadlineMs = expectedMs + times.graceMs;
        const earliestMs = Math.max(
          "zone" in times ? expectedMs : expectedMs - times.graceMs,
          excusedMs ?? lastSuccessMs ?? 0,
        );
        const overlapping = outages.filter(({ fromMs, toMs }) => fromMs < deadlineMs && toMs > earliestMs);
        const [last] = overlapping.toSorted((a, b) => b.toMs - a.toMs);
        const coversAll = last !== undefined && last.fromMs <= expectedMs && last.toMs >= deadlineMs;
        if (last && (excusedMs === undefined || coversAll)) {
          excusedMs = last.toMs;
          expectedMs = nextAfter(last.toMs);
        } else {
          expectedMs = undefined;
          tell("firing", "missed", deadlineMs);
        }
      }
    },
  };
}
