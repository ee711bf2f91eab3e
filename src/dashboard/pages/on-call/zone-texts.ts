import { dateLocale } from "../../texts/language.ts";
import { t } from "../../texts/texts.ts";
import type { Day } from "./calendar-days.ts";

/** Texts of times in the zone of a schedule. */
export interface ZoneTexts {
  /** Day and clock time, as `Mon, 4 Mar, 09:00`. @param at ISO 8601 */
  moment(at: string): string;
  /** Clock times of a shift, for a row that shows its days. */
  clocks(from: string, until: string): string;
  /** Start and end; the day of the end is left out if it is that of the start. */
  range(from: string, until: string): string;
}

const known = new Map<string, ZoneTexts>();

/** Texts of times in a zone. A zone that the browser does not know is shown as UTC. */
export function zoneTexts(zone: string): ZoneTexts {
  const texts = known.get(zone) ?? createZoneTexts(zone);
  known.set(zone, texts);
  return texts;
}

function createZoneTexts(zone: string): ZoneTexts {
  const format = (options: Intl.DateTimeFormatOptions) => formatIn(zone, options);
  const clock = format({ hour: "2-digit", minute: "2-digit" });
  const date = format({ weekday: "short", day: "numeric", month: "short" });
  const dateOfYear = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const year = format({ year: "numeric" });
  const dayOf = (at: Date) => (year.format(at) === year.format(new Date()) ? date : dateOfYear).format(at);
  const moment = (at: string) => `${dayOf(new Date(at))}, ${clock.format(new Date(at))}`;
  return {
    moment,
    clocks: (from, until) => `${clock.format(new Date(from))}–${clock.format(new Date(until))}`,
    range: (from, until) => {
      const isOneDay = dateOfYear.format(new Date(from)) === dateOfYear.format(new Date(until));
      return t.onCall.fromTo(moment(from), isOneDay ? clock.format(new Date(until)) : moment(until));
    },
  };
}

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(dateLocale, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: "UTC" });
  }
}

const DAY_MS = 86_400_000;
const ofDays = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: "UTC" });
  return (day: Day) => format.format(new Date(day * DAY_MS));
};

/** Texts of local dates. */
export const monthText = ofDays({ month: "long", year: "numeric" });
export const dateText = ofDays({ weekday: "long", day: "numeric", month: "short", year: "numeric" });
export const shortDateText = ofDays({ day: "numeric", month: "short" });
export const weekdayText = ofDays({ weekday: "short" });
