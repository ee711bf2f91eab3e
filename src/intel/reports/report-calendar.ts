/** On which days reports are made: weekdays as in ISO 8601, 1 is Monday; days of a month that every month has. */
export type Cadence =
  | { readonly kind: "weekly"; readonly weekday: number }
  | { readonly kind: "monthly"; readonly day: number };

/** When reports are made. */
export interface ReportTimes {
  readonly cadence: Cadence;
  /** 0 to 23, as clocks in the time zone show it. */
  readonly hour: number;
  /** Of the IANA database. */
  readonly timezone: string;
}

export interface ReportPeriod {
  readonly from: Date;
  /** Does not belong to it. */
  readonly to: Date;
  /** Names it within a schedule, as `week 2026-11-16` or `month 2026-11`. */
  readonly key: string;
}

/** A moment at which a report is due. */
export interface Slot {
  readonly at: Date;
  /** The week or month before the one that the moment is in. */
  readonly period: ReportPeriod;
}

/** A day of the calendar at midnight UTC, whatever the time zone. */
type Day = number;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When clocks leave the hour out, it is due when they go on; where they show it twice, it is due the first time. */
export function createReportCalendar({ cadence, hour, timezone }: ReportTimes) {
  const zone = createZone(timezone);
  const isWeekly = cadence.kind === "weekly";

  /** The day on which the week or month begins that a day is in, or one so many of them later. */
  function beginOf(day: Day, later: number): Day {
    if (isWeekly) return day - (isoWeekday(day) - 1) * DAY_MS + later * 7 * DAY_MS;
    const date = new Date(day);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  }

  function periodAt(day: Day): ReportPeriod {
    const [begin, end] = [beginOf(day, -1), beginOf(day, 0)];
    const name = new Date(begin).toISOString().slice(0, isWeekly ? 10 : 7);
    const key = `${isWeekly ? "week" : "month"} ${name}`;
    return { from: zone.moment(begin, 0), to: zone.moment(end, 0), key };
  }

  function slotIn(begin: Day): Slot {
    const day = begin + ((isWeekly ? cadence.weekday : cadence.day) - 1) * DAY_MS;
    return { at: zone.moment(day, hour), period: periodAt(day) };
  }

  /** That of the week or month which a time is in, and those beside it, the earliest first. */
  const slotsAbout = (at: Date) => {
    const day = zone.dayOf(at);
    return [-1, 0, 1].map((later) => slotIn(beginOf(day, later)));
  };

  return {
    /** The last moment that has come. */
    last(now: Date): Slot {
      const slot = slotsAbout(now).findLast(({ at }) => at <= now);
      if (!slot) throw new RangeError(`no report was due before ${now.toISOString()}`);
      return slot;
    },

    /** The first moment that is still to come. @param done the key of a period that has its report */
    next(now: Date, done: string | undefined): Slot {
      const slot = [...slotsAbout(now), slotIn(beginOf(zone.dayOf(now), 2))].find(
        ({ at, period }) => at > now && period.key !== done,
      );
      if (!slot) throw new RangeError(`no report is due after ${now.toISOString()}`);
      return slot;
    },

    /** The last week or month that is over. */
    lastPeriod: (now: Date): ReportPeriod => periodAt(zone.dayOf(now)),
  };
}

/** 1 is Monday, 7 Sunday. */
function isoWeekday(day: Day): number {
  return new Date(day).getUTCDay() || 7;
}

/** Days and hours as clocks in a zone show them. @throws RangeError for a zone that there is not */
function createZone(timeZone: string) {
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

  /** What clocks show, as if it were UTC. */
  function shownAt(atMs: number): number {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  return {
    dayOf: (at: Date): Day => Math.floor(shownAt(at.getTime()) / DAY_MS) * DAY_MS,

    /** The first moment at which clocks show this hour of a day; left out by them: that at which they go on. */
    moment(day: Day, hour: number): Date {
      const wanted = day + hour * HOUR_MS;
      // Whatever the change of clocks: a day before it and a day behind it have the two offsets from UTC.
      const offsets = [-DAY_MS, DAY_MS].map((beside) => shownAt(wanted + beside) - (wanted + beside));
      const [before = 0] = offsets;
      const moments = offsets.map((offset) => wanted - offset).sort((one, other) => one - other);
      return new Date(moments.find((atMs) => shownAt(atMs) === wanted) ?? wanted - before);
    },
  };
}
