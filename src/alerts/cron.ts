import { createLocalTime, type LocalMs } from "../shared/local-time.ts";

/** Times of a cron expression: five fields, or a name such as `@daily`. */
interface CronTimes {
  /** Minutes of the hour, ascending. */
  readonly minutes: readonly number[];
  /** Hours of the day, ascending. */
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** Both days are restricted: one of them is sufficient, as in cron. */
  readonly isEitherDay: boolean;
}

const MAX_CRON_LENGTH = 100;

const NAMED: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Fields of an expression in their order. Sunday is 0 and 7. */
const FIELDS = [
  { from: 0, to: 59, names: [] },
  { from: 0, to: 23, names: [] },
  { from: 1, to: 31, names: [] },
  { from: 1, to: 12, names: MONTHS },
  { from: 0, to: 7, names: WEEKDAYS },
] as const;

type Field = (typeof FIELDS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 29 February is missing for eight years around a century, and a weekday of it for forty. */
const MAX_DAYS = 41 * 366;

/** Reads a cron expression; undefined: it is none. */
export function parseCron(expression: string): CronTimes | undefined {
  if (expression.length > MAX_CRON_LENGTH) return undefined;
  const given = expression.trim().toLowerCase();
  const texts = (Object.hasOwn(NAMED, given) ? (NAMED[given] ?? "") : given).split(/\s+/);
  if (texts.length !== FIELDS.length) return undefined;
  const [minutes, hours, daysOfMonth, months, weekdays] = FIELDS.map((field, index) =>
    valuesOf(texts[index] ?? "", field),
  );
  if (!minutes || !hours || !daysOfMonth || !months || !weekdays) return undefined;
  const isFree = (text = "") => text.startsWith("*");
  return {
    minutes,
    hours,
    months: new Set(months),
    daysOfMonth: new Set(daysOfMonth),
    daysOfWeek: new Set(weekdays.map((day) => day % 7)),
    isEitherDay: !isFree(texts[2]) && !isFree(texts[4]),
  };
}

/** Values of a field, ascending; undefined: it is not valid. */
function valuesOf(text: string, field: Field): number[] | undefined {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [, range = "", step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const [begin = Number.NaN, end = Number.NaN] = rangeOf(range, field, step !== undefined);
    const by = step === undefined ? 1 : Number(step);
    if (!(begin <= end) || by < 1) return undefined;
    for (let value = begin; value <= end; value += by) found.add(value);
  }
  return [...found].sort((a, b) => a - b);
}

/** A single value with a step is the beginning of a range. */
function rangeOf(text: string, { from, to, names }: Field, hasStep: boolean): readonly number[] {
  if (text === "*") return [from, names === WEEKDAYS ? 6 : to];
  const values = text.split("-").map((word) => {
    const name = (names as readonly string[]).indexOf(word);
    if (name >= 0) return name + from;
    const value = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
    return value >= from && value <= to ? value : Number.NaN;
  });
  const [begin = Number.NaN, end] = values;
  if (values.length > 2) return [];
  return [begin, end ?? (hasStep ? to : begin)];
}

function isDay({ months, daysOfMonth, daysOfWeek, isEitherDay }: CronTimes, day: LocalMs): boolean {
  const date = new Date(day);
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [inMonth, inWeek] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())];
  return isEitherDay ? inMonth || inWeek : inMonth && inWeek;
}

/**
 * The first time of an expression after a moment, in local time. If a clock change skips a time, the moment of the change
 * counts. A local time that occurs twice counts once, at its first occurrence.
 * @returns undefined: there is none, such as for 30 February
 * @throws RangeError for an unknown zone
 */
export function nextCronTime(times: CronTimes, timezone: string, after: Date): Date | undefined {
  const { localAt, momentOf } = createLocalTime(timezone);
  const now = localAt(after.getTime());
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (let day = today, left = MAX_DAYS; left > 0; day += DAY_MS, left--) {
    if (!isDay(times, day)) continue;
    for (const hour of times.hours) {
      // A later local time is never an earlier moment, so earlier hours need no conversion.
      if (day + (hour + 1) * HOUR_MS <= now) continue;
      for (const minute of times.minutes) {
        const local = day + hour * HOUR_MS + minute * MINUTE_MS;
        if (local <= now - MINUTE_MS) continue;
        const atMs = momentOf(local);
        if (atMs > after.getTime()) return new Date(atMs);
      }
    }
  }
  return undefined;
}
