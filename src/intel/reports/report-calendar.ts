import { createLocalTime } from "../../shared/local-time.ts";

/** Days of reports: ISO 8601 weekdays, where 1 is Monday, or days that every month has. */
export type Cadence =
  | { readonly kind: "weekly"; readonly weekday: number }
  | { readonly kind: "monthly"; readonly day: number };

/** Schedule of reports. */
export interface ReportTimes {
  readonly cadence: Cadence;
  /** Local hour in the time zone, 0 to 23. */
  readonly hour: number;
  /** Name from the IANA database. */
  readonly timezone: string;
}

export interface ReportPeriod {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Name of the period within a schedule, such as `week 2026-11-16` or `month 2026-11`. */
  readonly key: string;
}

/** A time at which a report is due. */
export interface Slot {
  readonly at: Date;
  /** The week or month before that of `at`. */
  readonly period: ReportPeriod;
}

/** A calendar day at midnight UTC, independent of the time zone. */
type Day = number;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * If a clock change skips the hour, the report is due right after the change. If the hour occurs twice, it is due the
 * first time.
 */
export function createReportCalendar({ cadence, hour, timezone }: ReportTimes) {
  const zone = createZone(timezone);
  const isWeekly = cadence.kind === "weekly";

  /** First day of the week or month of a day, shifted by a number of weeks or months. */
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

  /** The slots of the week or month of a time, and of the adjacent ones, the earliest first. */
  const slotsAbout = (at: Date) => {
    const day = zone.dayOf(at);
    return [-1, 0, 1].map((later) => slotIn(beginOf(day, later)));
  };

  return {
    /** The last slot before or at a time. */
    last(now: Date): Slot {
      const slot = slotsAbout(now).findLast(({ at }) => at <= now);
      if (!slot) throw new RangeError(`no report was due before ${now.toISOString()}`);
      return slot;
    },

    /** The first slot after a time. @param done key of a period that already has its report */
    next(now: Date, done: string | undefined): Slot {
      const slot = [...slotsAbout(now), slotIn(beginOf(zone.dayOf(now), 2))].find(
        ({ at, period }) => at > now && period.key !== done,
      );
      if (!slot) throw new RangeError(`no report is due after ${now.toISOString()}`);
      return slot;
    },

    /** The last complete week or month. */
    lastPeriod: (now: Date): ReportPeriod => periodAt(zone.dayOf(now)),
  };
}

/** 1 is Monday, 7 is Sunday. */
function isoWeekday(day: Day): number {
  return new Date(day).getUTCDay() || 7;
}

/** Local days and hours in a time zone. @throws RangeError for an unknown zone */
function createZone(timeZone: string) {
  const { localAt, momentOf } = createLocalTime(timeZone);
  return {
    dayOf: (at: Date): Day => Math.floor(localAt(at.getTime()) / DAY_MS) * DAY_MS,
    /** The first moment of this local hour on a day. If a clock change skips the hour, the moment of the change. */
    moment: (day: Day, hour: number): Date => new Date(momentOf(day + hour * HOUR_MS)),
  };
}
