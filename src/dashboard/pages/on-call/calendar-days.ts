import type { LocalTime } from "../../../shared/local-time.ts";

/** Local date as the number of days since 1970-01-01. */
export type Day = number;

export const calendarViews = ["month", "week"] as const;
export type CalendarView = (typeof calendarViews)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK = 7;

/** A day of a calendar. A day with a clock change has 23 or 25 hours. */
export interface CalendarDay {
  readonly day: Day;
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly hours: number;
}

export const dayAt = (clock: LocalTime, atMs: number): Day => Math.floor(clock.localAt(atMs) / DAY_MS);

/** A date as `2030-03-31`, for addresses. */
export const dayText = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** @returns undefined for a text that is no date */
export function readDay(text: string): Day | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs / DAY_MS;
}

/** 0 is Monday. 1970-01-01 was a Thursday. */
const weekdayOf = (day: Day) => (((day + 3) % WEEK) + WEEK) % WEEK;
const mondayOf = (day: Day): Day => day - weekdayOf(day);

/** First day of the month, some months later. */
function monthBegin(day: Day, later = 0): Day {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY_MS;
}

export const isSameMonth = (one: Day, other: Day): boolean => monthBegin(one) === monthBegin(other);

/** The whole weeks that a view of a day shows. */
export function weeksOf(view: CalendarView, day: Day): { readonly first: Day; readonly weeks: number } {
  if (view === "week") return { first: mondayOf(day), weeks: 1 };
  const first = mondayOf(monthBegin(day));
  return { first, weeks: Math.ceil((monthBegin(day, 1) - first) / WEEK) };
}

/** A day in the view before or after. */
export const turned = (view: CalendarView, day: Day, by: 1 | -1): Day =>
  view === "week" ? day + by * WEEK : monthBegin(day, by);

export const daysOf = (clock: LocalTime, first: Day, count: number): CalendarDay[] =>
  Array.from({ length: count }, (_, index) => {
    const day = first + index;
    const fromMs = clock.momentOf(day * DAY_MS);
    const untilMs = clock.momentOf((day + 1) * DAY_MS);
    return { day, fromMs, untilMs, hours: (untilMs - fromMs) / HOUR_MS };
  });

/** Place of a moment in a row of days: 0 is its begin, 1 its end. A longer day is as wide as the others. */
export function placeOf(days: readonly CalendarDay[], atMs: number): number {
  const at = days.findIndex(({ untilMs }) => atMs < untilMs);
  const found = days[at];
  if (!found) return 1;
  const part = (atMs - found.fromMs) / (found.untilMs - found.fromMs);
  return Math.max(0, (at + part) / days.length);
}

interface Timed {
  /** ISO 8601. */
  readonly from: string;
  /** Exclusive. */
  readonly until: string;
}

/** The part of a shift in a row of days. */
export interface Bar<Shift extends Timed> {
  readonly shift: Shift;
  readonly from: number;
  readonly until: number;
  /** Whether the shift begins, and ends, in this row. */
  readonly hasBegin: boolean;
  readonly hasEnd: boolean;
}

export function barsIn<Shift extends Timed>(
  days: readonly CalendarDay[],
  shifts: readonly Shift[],
): Bar<Shift>[] {
  const [beginMs, endMs] = [days[0]?.fromMs ?? 0, days.at(-1)?.untilMs ?? 0];
  return shifts.flatMap((shift) => {
    const [fromMs, untilMs] = [Date.parse(shift.from), Date.parse(shift.until)];
    if (untilMs <= beginMs || fromMs >= endMs) return [];
    const [from, until] = [placeOf(days, fromMs), placeOf(days, untilMs)];
    return { shift, from, until, hasBegin: fromMs >= beginMs, hasEnd: untilMs <= endMs };
  });
}
