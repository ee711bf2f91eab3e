import { clockOf } from "../../parts/time.tsx";
import { Agenda } from "./agenda.tsx";
import { Calendar, type CalendarProps } from "./calendar.tsx";
import { daysOf } from "./calendar-days.ts";

const SHORT_MS = 0.3 * 86_400_000;

interface CalendarViewProps extends CalendarProps {
  /** Most shifts of the list; missing: all. */
  readonly mostListed?: number;
}

/** A calendar. Narrow screens have a list of its shifts instead, and short shifts are listed below it. */
export function CalendarView({ mostListed, ...calendar }: CalendarViewProps) {
  const { zone, first, weeks, lanes, people, open } = calendar;
  const days = daysOf(clockOf(zone), first, weeks * 7);
  const [beginMs, endMs] = [days[0]?.fromMs ?? 0, days.at(-1)?.untilMs ?? 0];
  const shifts = (lanes[0]?.shifts ?? []).filter(
    ({ from, until }) => Date.parse(from) < endMs && Date.parse(until) > beginMs,
  );
  const isShort = open !== undefined && shifts.some(({ from, until }) => spanOf(from, until) < SHORT_MS);
  return (
    <div className="calendar-view" data-short={isShort}>
      <Calendar {...calendar} />
      <Agenda shifts={shifts.slice(0, mostListed)} zone={zone} people={people} open={open} />
    </div>
  );
}

const spanOf = (from: string, until: string) => Date.parse(until) - Date.parse(from);
