import { useMemo } from "react";
import type { Shift } from "../../api/oncalls.ts";
import { clockOf } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { CalendarBar, type OpenShift } from "./calendar-bar.tsx";
import { barsIn, type CalendarDay, type Day, dayAt, daysOf, isSameMonth, placeOf } from "./calendar-days.ts";
import type { People } from "./people.ts";
import { dateText, shortDateText, weekdayText } from "./zone-texts.ts";

/** A row of bars. */
export interface Lane {
  /** Missing: the shifts of the schedule. */
  readonly name?: string;
  readonly shifts: readonly Shift[];
}

export interface CalendarProps {
  readonly label: string;
  readonly zone: string;
  /** A Monday. */
  readonly first: Day;
  readonly weeks: number;
  /** A day of the month that stands out; missing: all days are alike. */
  readonly month?: Day | undefined;
  readonly lanes: readonly Lane[];
  readonly people: People;
  readonly now: Date;
  /** Whether the bars have their times. */
  readonly isDetailed?: boolean;
  readonly open?: OpenShift | undefined;
  /** Called with a chosen day. Missing: days are not chosen. */
  readonly onDay?: ((day: Day) => void) | undefined;
}

const WEEK = 7;

/** Shifts as bars across the days of whole weeks, in the zone of the schedule. */
export function Calendar(props: CalendarProps) {
  const { label, zone, first, weeks } = props;
  const days = useMemo(() => daysOf(clockOf(zone), first, weeks * WEEK), [zone, first, weeks]);
  const rows = Array.from({ length: weeks }, (_, week) => days.slice(week * WEEK, (week + 1) * WEEK));
  return (
    <section className="calendar" aria-label={label}>
      <div className="calendar-days" aria-hidden="true">
        {rows[0]?.map(({ day }) => (
          <span key={day} className="faint">
            {weekdayText(day)}
          </span>
        ))}
      </div>
      {rows.map((row) => (
        <Week key={row[0]?.day} days={row} {...props} />
      ))}
    </section>
  );
}

interface WeekProps extends CalendarProps {
  readonly days: readonly CalendarDay[];
}

function Week({ days, zone, month, lanes, people, now, isDetailed = false, open, onDay }: WeekProps) {
  const today = dayAt(clockOf(zone), now.getTime());
  const hasToday = days.some(({ day }) => day === today);
  return (
    <div className="calendar-week" data-detailed={isDetailed}>
      <div className="calendar-days">
        {days.map((one) => (
          <div
            key={one.day}
            className="calendar-day"
            data-today={one.day === today}
            data-outside={month !== undefined && !isSameMonth(month, one.day)}
          >
            <DayNumber
              day={one.day}
              isToday={one.day === today}
              // An override ends in the future.
              onDay={one.untilMs > now.getTime() ? onDay : undefined}
            />
            {one.hours !== 24 && <span className="faint">{t.onCall.dayHours(one.hours)}</span>}
          </div>
        ))}
      </div>
      {lanes.map(({ name, shifts }) => (
        <div key={name ?? ""} className="calendar-lane" data-layer={name !== undefined}>
          {name !== undefined && <span className="faint">{name}</span>}
          <div className="calendar-bars">
            {barsIn(days, shifts).map((bar) => (
              <CalendarBar
                key={bar.shift.from}
                bar={bar}
                zone={zone}
                people={people}
                isDetailed={isDetailed && name === undefined}
                open={name === undefined ? open : undefined}
              />
            ))}
          </div>
        </div>
      ))}
      {hasToday && (
        <div
          className="calendar-now"
          style={{ "--from": `${placeOf(days, now.getTime()) * 100}%` } as React.CSSProperties}
        />
      )}
    </div>
  );
}

interface DayNumberProps {
  readonly day: Day;
  readonly isToday: boolean;
  readonly onDay: CalendarProps["onDay"];
}

function DayNumber({ day, isToday, onDay }: DayNumberProps) {
  // The first day of a month has its name.
  const number = new Date(day * 86_400_000).getUTCDate();
  const text = number === 1 ? shortDateText(day) : String(number);
  const current = isToday ? "date" : undefined;
  if (!onDay)
    return (
      <span className="num" aria-current={current}>
        {text}
      </span>
    );
  return (
    <button
      type="button"
      className="bare num"
      aria-current={current}
      aria-label={t.onCall.addOn(dateText(day))}
      onClick={() => onDay(day)}
    >
      {text}
    </button>
  );
}
