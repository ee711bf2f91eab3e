import { createLru } from "./lru.ts";

/** Local date and time in milliseconds, as if the zone were UTC. */
export type LocalMs = number;

/** Converts between moments and the local time of a zone. */
export interface LocalTime {
  /** Time that the clock of the zone shows. */
  localAt(atMs: number): LocalMs;
  /** First moment with this local time. If a clock change skips it, the moment of the change. */
  momentOf(local: LocalMs): number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Creating a formatter takes as long as all other work for a schedule. There are some hundred zones. */
const formats = createLru<Intl.DateTimeFormat>(1_000);

/**
 * Local time of an IANA time zone. Reads the difference to UTC once for each day that it converts.
 * @throws RangeError for an unknown zone
 */
export function createLocalTime(zone: string): LocalTime {
  const format = formatOf(zone);
  /** Difference to UTC at the beginning of a day, by its number. */
  const offsets = new Map<number, number>();
  /** Clock changes, by the number of their day. */
  const changes = new Map<number, number>();

  const offsetOfDay = (day: number) => readOnce(offsets, day, () => offsetAt(format, day * DAY_MS));

  function offset(atMs: number): number {
    const day = Math.floor(atMs / DAY_MS);
    const [before, after] = [offsetOfDay(day), offsetOfDay(day + 1)];
    if (before === after) return before;
    const change = readOnce(changes, day, () => changeWithin(format, day * DAY_MS, (day + 1) * DAY_MS));
    return atMs < change ? before : after;
  }

  const localAt = (atMs: number): LocalMs => atMs + offset(atMs);
  return {
    localAt,
    momentOf(local) {
      // The day before and the day after have the two possible differences to UTC, whatever the clock change.
      const moments = [-DAY_MS, DAY_MS].map((beside) => local - offset(local + beside));
      const [first = local, second = local] = moments.sort((one, other) => one - other);
      return [first, second].find((atMs) => localAt(atMs) === local) ?? changeWithin(format, first, second);
    },
  };
}

function readOnce(known: Map<number, number>, key: number, read: () => number): number {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

/** First minute with the difference to UTC at the end of the time. */
function changeWithin(format: Intl.DateTimeFormat, fromMs: number, untilMs: number): number {
  let [low, high] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(untilMs / MINUTE_MS)];
  const later = offsetAt(format, high * MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(format, middle * MINUTE_MS) === later) high = middle;
    else low = middle;
  }
  return high * MINUTE_MS;
}

/** @param atMs a whole second */
function offsetAt(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - atMs;
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
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}
