import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Schedule, shiftsQuery } from "../../api/oncalls.ts";
import { StateView } from "../../parts/state-view.tsx";
import { clockOf } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { useCalendarChanges } from "./calendar-changes.tsx";
import {
  calendarViews,
  type Day,
  dayAt,
  daysOf,
  dayText,
  readDay,
  turned,
  type CalendarView as View,
  weeksOf,
} from "./calendar-days.ts";
import { CalendarView } from "./calendar-view.tsx";
import { layerLanes } from "./layer-lanes.ts";
import { createPeople } from "./people.ts";
import { useTurnKeys } from "./use-turn-keys.ts";
import { dateText, monthText } from "./zone-texts.ts";

const route = getRouteApi("/inside/on-call/$name");

/** The calendar of a schedule by month and week. The address has the view and the day. */
export function ShiftCalendar({ schedule }: { readonly schedule: Schedule }) {
  const { name, layers } = schedule.settings;
  const { view = "month", day: shownDay } = route.useSearch();
  const navigate = route.useNavigate();
  const zone = layers[0]?.time_zone ?? "UTC";
  const clock = clockOf(zone);
  const today = dayAt(clock, Date.now());
  const day = readDay(shownDay ?? "") ?? today;
  const { first, weeks } = weeksOf(view, day);
  const range = rangeOf(schedule, first, weeks);
  const query = useQuery(shiftsQuery(name, range));
  const show = (changes: { readonly view?: View | undefined; readonly day?: Day }) =>
    void navigate({
      search: (former) => ({
        ...former,
        ...(changes.view && { view: changes.view === "month" ? undefined : changes.view }),
        ...(changes.day !== undefined && { day: changes.day === today ? undefined : dayText(changes.day) }),
      }),
      replace: true,
      resetScroll: false,
    });
  const turn = (by: 1 | -1) => show({ day: turned(view, day, by) });
  const changes = useCalendarChanges(schedule);
  useTurnKeys({ onTurn: turn, onToday: () => show({ day: today }) });
  return (
    <>
      {changes.notice}
      <section className="card" aria-label={t.onCall.calendar}>
        <header className="spread">
          <div className="row">
            <h2 aria-live="polite">{view === "month" ? monthText(day) : t.onCall.weekOf(dateText(first))}</h2>
          </div>
          <div className="row">
            <Button variant="default" size="xs" aria-label={t.onCall.earlier[view]} onClick={() => turn(-1)}>
              ←
            </Button>
            <Button variant="default" size="xs" onClick={() => show({ day: today })}>
              {t.onCall.today}
            </Button>
            <Button variant="default" size="xs" aria-label={t.onCall.later[view]} onClick={() => turn(1)}>
              →
            </Button>
            <SegmentedControl
              size="xs"
              aria-label={t.onCall.view}
              data={calendarViews.map((value) => ({ value, label: t.onCall.views[value] }))}
              value={view}
              onChange={(value) => show({ view: value as View })}
            />
            {changes.add}
          </div>
        </header>
        <StateView query={query}>
          {({ rows }) => (
            <CalendarView
              label={t.onCall.calendar}
              zone={zone}
              first={first}
              weeks={weeks}
              month={view === "month" ? day : undefined}
              lanes={[{ shifts: rows }, ...(view === "week" ? layerLanes(schedule, range) : [])]}
              people={createPeople([...schedule.people, ...rows.flatMap(({ person }) => person ?? [])])}
              now={new Date()}
              isDetailed={view === "week"}
              // The shifts of the former view can be cut at its edges.
              open={query.isPlaceholderData ? undefined : changes.open}
              onDay={changes.onDay}
            />
          )}
        </StateView>
        <p className="body faint tight">{t.onCall.inZone(zone)}</p>
      </section>
      {changes.dialog}
    </>
  );
}

const HOURS = { hour: 1, day: 24, week: 168 } as const;
const HOUR_MS = 3_600_000;
const MOST_MS = 25 * 24 * HOUR_MS;

/** The weeks, and beside them the time of one shift: a shift at their edge is whole. The server lists at most 93 days. */
function rangeOf({ settings: { layers } }: Schedule, first: Day, weeks: number) {
  const lengths = layers.map(({ shift: { length, unit } }) => length * HOURS[unit] * HOUR_MS);
  const besideMs = Math.min(Math.max(...lengths, 24 * HOUR_MS), MOST_MS);
  const days = daysOf(clockOf(layers[0]?.time_zone ?? "UTC"), first, weeks * 7);
  const [beginMs, endMs] = [days[0]?.fromMs ?? 0, days.at(-1)?.untilMs ?? 0];
  return {
    from: new Date(beginMs - besideMs).toISOString(),
    until: new Date(endMs + besideMs).toISOString(),
  };
}
