import { type CounterStep, startOf, stepMs } from "../../store/counters/counter-documents.ts";

const HOUR_MS = 3_600_000;
/** The longest day in any time zone: 24 hours, an hour that is repeated, and a margin. */
const LONGEST_DAY_MS = 30 * HOUR_MS;

export interface Points {
  /** Start of each point. */
  readonly points: readonly Date[];
  /** End of the last one. */
  readonly end: Date;
}

/** Steps of a time range: the first step contains its start, and the last one begins before its end. */
export function createPoints(span: {
  readonly step: CounterStep;
  readonly from: Date;
  readonly until: Date;
  /** Time zone that determines when days begin. */
  readonly zone: string;
}): Points {
  const { step, from, until, zone } = span;
  const next =
    step === "day" && zone !== "UTC" ? nextDayIn(zone) : (at: Date) => new Date(at.getTime() + stepMs[step]);
  const points: Date[] = [];
  let at = step === "day" && zone !== "UTC" ? dayOf(zone, from) : startOf(step, from);
  for (; at < until; at = next(at)) points.push(at);
  return { points, end: at };
}

/**
 * The hour in which the day of a time begins. Counters are for whole hours of UTC. If a day begins within an hour,
 * the day includes that whole hour.
 */
function dayOf(zone: string, moment: Date): Date {
  const dateOf = dateIn(zone);
  const date = dateOf(moment);
  let at = startOf("hour", moment);
  // The last moment of the previous hour shows whether it still belongs to the day.
  while (dateOf(new Date(at.getTime() - 1)) === date) at = new Date(at.getTime() - HOUR_MS);
  return at;
}

function nextDayIn(zone: string): (at: Date) => Date {
  const dateOf = dateIn(zone);
  return (at) => {
    const date = dateOf(new Date(at.getTime() + HOUR_MS - 1));
    for (let ms = HOUR_MS; ms <= LONGEST_DAY_MS; ms += HOUR_MS) {
      const hour = new Date(at.getTime() + ms);
      if (dateOf(new Date(hour.getTime() + HOUR_MS - 1)) !== date) return hour;
    }
    return new Date(at.getTime() + 24 * HOUR_MS);
  };
}

function dateIn(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  return (at) => format.format(at);
}
