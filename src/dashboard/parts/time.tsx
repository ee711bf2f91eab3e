import { useEffect, useState } from "react";
import { createLocalTime, type LocalTime } from "../../shared/local-time.ts";
import { dateLocale, language } from "../texts/language.ts";

/** The time zone of the browser. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const STORED = "hermod-time-zone";

/** The zone that the user has chosen in this browser; empty: the zone of the browser. */
export const chosenZone = readZone();

/** The zone in which times are shown. */
export const zone = chosenZone || browserZone;

function readZone(): string {
  const stored = typeof localStorage === "undefined" ? "" : (localStorage.getItem(STORED) ?? "");
  try {
    new Intl.DateTimeFormat(dateLocale, { timeZone: stored || "UTC" });
    return stored;
  } catch {
    // The current browser does not know it.
    return "";
  }
}

/** Takes effect when the page loads again. @param chosen empty: the zone of the browser */
export function chooseZone(chosen: string): void {
  if (chosen === "") localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, chosen);
}

const texts = createTimeTexts(zone);

/** A time in the user's zone: only the clock time today, the date otherwise. A tooltip shows UTC. */
export function Time({ at, withDay = false }: { readonly at: string; readonly withDay?: boolean }) {
  return (
    <time dateTime={at} title={`${at.replace("T", " ").replace("Z", "")} UTC`} className="num">
      {timeText(at, new Date(), withDay)}
    </time>
  );
}

/** @param withDay clock time and date, unless it is today */
export const timeText = (at: string, now: Date, withDay = false): string => texts(at, now, withDay);

/** Formats times in a time zone. */
export function createTimeTexts(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale, { ...options, timeZone });
  const clock = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const day = format({ day: "numeric", month: "short" });
  const dayOfYear = format({ day: "numeric", month: "short", year: "numeric" });
  const year = format({ year: "numeric" });
  return (at: string, now: Date, withDay: boolean): string => {
    const moment = new Date(at);
    if (dayOfYear.format(moment) === dayOfYear.format(now)) return clock.format(moment);
    const date = year.format(moment) === year.format(now) ? day.format(moment) : dayOfYear.format(moment);
    return withDay ? `${date}, ${clock.format(moment)}` : date;
  };
}

const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Duration as `240 ms`, `0.8 s`, `3 min 40 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${tenths.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([value, unit]) => (value > 0 ? `${value} ${unit}` : []))
    .join(" ");
}

/** The current time, updated every second if `isTicking`. */
export function useNow(isTicking: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** Local time of a zone. A zone that the browser does not know is shown as UTC. */
export function clockOf(timeZone: string): LocalTime {
  try {
    return createLocalTime(timeZone);
  } catch {
    return createLocalTime("UTC");
  }
}

/** A time in the format of a `datetime-local` field. */
export function localMinute(at: string): string {
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
