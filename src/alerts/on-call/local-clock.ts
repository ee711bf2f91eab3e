import { createLru } from "../../shared/lru.ts";

/** Local date and time in milliseconds, as if the zone were UTC. */
export type LocalTime = number;

/**
 * Local time of a zone that never runs back: a time that a clock change repeats counts as over after its first
 * occurrence.
 */
export interface LocalClock {
  /** Time that the clock of the zone shows. */
  localAt(atMs: number): LocalTime;
  /** First moment with this local time. If a clock change skips it, the moment of the change. */
  momentOf(local: LocalTime): number;
}

/** Time in which the difference to UTC stays the same. */
interface Period {
  readonly sinceMs: number;
  readonly offsetMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** More than any difference to UTC, and than any clock change. */
const MARGIN_MS = 2 * DAY_MS;

/** Creating a formatter takes as long as all other work for a schedule. There are some hundred zones. */
const formats = createLru<Intl.DateTimeFormat>(1_000);

/**
 * Clock of a zone for moments and local times within a range. Reads the differences to UTC once, one for each day.
 * @throws RangeError for an unknown zone
 */
export function createLocalClock(zone: string, fromMs: number, untilMs: number): LocalClock {
  const periods = readPeriods(zone, fromMs - MARGIN_MS, untilMs + MARGIN_MS);
  return {
    localAt: (atMs) => atMs + (periods.findLast(({ sinceMs }) => sinceMs <= atMs)?.offsetMs ?? 0),
    momentOf(local) {
      for (const [index, { sinceMs, offsetMs }] of periods.entries()) {
        const atMs = local - offsetMs;
        const endMs = periods[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY;
        // Before the period: a clock change skips the time.
        if (atMs < endMs) return Math.max(atMs, sinceMs);
      }
      throw new RangeError(`${local} is no local time`);
    },
  };
}

function readPeriods(zone: string, fromMs: number, untilMs: number): Period[] {
  const format = formatOf(zone);
  let atMs = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS;
  let offsetMs = offsetAt(format, atMs);
  const periods: Period[] = [{ sinceMs: Number.NEGATIVE_INFINITY, offsetMs }];
  while (atMs < untilMs) {
    const nextMs = atMs + DAY_MS;
    const next = offsetAt(format, nextMs);
    if (next !== offsetMs) periods.push({ sinceMs: changeWithin(format, atMs, nextMs), offsetMs: next });
    [atMs, offsetMs] = [nextMs, next];
  }
  return periods;
}

/** First minute with the difference to UTC at the end of a day. */
function changeWithin(format: Intl.DateTimeFormat, fromMs: number, untilMs: number): number {
  const later = offsetAt(format, untilMs);
  let [lowMs, highMs] = [fromMs, untilMs];
  while (highMs - lowMs > MINUTE_MS) {
    const middleMs = lowMs + Math.floor((highMs - lowMs) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(format, middleMs) === later) highMs = middleMs;
    else lowMs = middleMs;
  }
  return highMs;
}

/** Difference of the local time to UTC. @param atMs a whole minute */
function offsetAt(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - atMs;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}
