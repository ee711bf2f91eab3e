import { useEffect, useState } from "react";

/** The time zone of the browser. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A moment in the user's time zone: the clock alone today, the day otherwise. UTC is shown on hover. */
export function Time({ at, withDay = false }: { readonly at: string; readonly withDay?: boolean }) {
  return (
    <time dateTime={at} title={`${at.replace("T", " ").replace("Z", "")} UTC`} className="num">
      {timeText(at, new Date(), withDay)}
    </time>
  );
}

/** @param withDay the clock and the day, unless it is today */
export function timeText(at: string, now: Date, withDay = false): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === now.toDateString();
  const date = moment.getFullYear() === now.getFullYear() ? day.format(moment) : dayOfYear.format(moment);
  if (isToday) return clock.format(moment);
  return withDay ? `${date}, ${clock.format(moment)}` : date;
}

/** As `240 ms`, `0.8 s`, `3 min 40 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
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

/** The time, anew each second where `isTicking`. */
export function useNow(isTicking: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** A moment as a field of the kind `datetime-local` shows it. */
export function localMinute(at: string): string {
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
