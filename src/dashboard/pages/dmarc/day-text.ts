import { dateLocale } from "../../texts/language.ts";

const format = new Intl.DateTimeFormat(dateLocale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/**
 * A day in UTC, as `Mon, Jan 7`: receivers report whole days in UTC, which a time zone must not move.
 * @param day as `2030-01-07`
 */
export function dayText(day: string): string {
  const moment = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(moment.getTime()) ? day : format.format(moment);
}
