import type { Silence } from "../../api/silences.ts";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

const DAYS_OF_WEEK = 7;

/** The times of a silence in a few words: its windows, or its start and end. */
export function timesText({ weekly, starts_at: start, ends_at: end }: Silence, now = new Date()): string {
  if (weekly) return `${weekly.windows.map(windowText).join("; ")} (${weekly.time_zone})`;
  const at = (moment: string) => timeText(moment, now, true);
  return end === undefined ? at(start) : t.silences.fromTo(at(start), at(end));
}

function windowText({ days = [], from, to }: NonNullable<Silence["weekly"]>["windows"][number]): string {
  const isDaily = days.length === 0 || days.length === DAYS_OF_WEEK;
  const names = days.map((day) => t.rules.weekdays[day - 1] ?? "").join(", ");
  return `${isDaily ? t.silences.daily : names} ${from}–${to}`;
}

/** The next change of the state of a silence. */
export function nextText(silence: Silence, now = new Date()): string {
  const { state, active_until: until, next_start_at: next, ends_at: end } = silence;
  const at = (moment: string) => timeText(moment, now, true);
  if (state === "active") return until ? t.silences.activeUntil(at(until)) : t.silences.activeWithoutEnd;
  if (state === "pending") return next ? t.silences.startsAt(at(next)) : "";
  return end ? t.silences.endedAt(at(end)) : "";
}
