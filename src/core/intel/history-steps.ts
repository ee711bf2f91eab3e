import type { HistoryStep } from "../../../contracts/common/history-steps.ts";

/** Part of a range, without its end. */
export interface Step {
  readonly start: Date;
  readonly end: Date;
}

const DAY_MS = 86_400_000;

/** Steps of a range: the first contains `from`, and the last begins before `until`. At most `most` and one more. */
export function stepsBetween(kind: HistoryStep, from: Date, until: Date, most: number): Step[] {
  const steps: Step[] = [];
  for (let start = startOf(kind, from); start < until && steps.length <= most; ) {
    const end = nextOf(kind, start);
    steps.push({ start, end });
    start = end;
  }
  return steps;
}

/** Beginning of the step that lies some steps before the one of a time. */
export function stepsBefore(kind: HistoryStep, time: Date, count: number): Date {
  const start = startOf(kind, time);
  if (kind === "month") return utc(start.getUTCFullYear(), start.getUTCMonth() - count, 1);
  return new Date(start.getTime() - count * (kind === "week" ? 7 : 1) * DAY_MS);
}

/**
 * The last entry before the end of each step; undefined: there is none.
 * @param entries in the order of their times
 */
export function lastOfSteps<Entry>(
  steps: readonly Step[],
  entries: readonly Entry[],
  timeOf: (entry: Entry) => Date,
): (Entry | undefined)[] {
  let at = 0;
  return steps.map(({ end }) => {
    for (let next = entries[at]; next && timeOf(next) < end; next = entries[at]) at++;
    return entries[at - 1];
  });
}

function startOf(kind: HistoryStep, time: Date): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (kind === "month") return utc(year, month, 1);
  // Sunday is day 0.
  return utc(year, month, kind === "day" ? day : day - ((time.getUTCDay() + 6) % 7));
}

function nextOf(kind: HistoryStep, start: Date): Date {
  if (kind === "month") return utc(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  return new Date(start.getTime() + (kind === "week" ? 7 : 1) * DAY_MS);
}

function utc(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month, day));
}
