import type { Layer, Person } from "../../api/oncalls.ts";
import { clockOf } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { type Day, dayAt, daysOf, weeksOf } from "./calendar-days.ts";
import { CalendarView } from "./calendar-view.tsx";
import { findContentShifts } from "./find-content-shifts.ts";
import { findPerson } from "./layer-lanes.ts";
import type { People } from "./people.ts";

interface PreviewProps {
  readonly layers: readonly Layer[];
  readonly persons: readonly Person[];
  readonly people: People;
}

const WEEKS = 5;
const DAYS_OF_WEEK = 7;
const MOST_LISTED = 12;

/** The shifts of the next weeks that unsaved settings result in. Nothing is stored, and overrides are not included. */
export function Preview({ layers, persons, people }: PreviewProps) {
  const zone = layers[0]?.time_zone ?? "UTC";
  const first = firstDay(layers, zone);
  const days = daysOf(clockOf(zone), first, WEEKS * DAYS_OF_WEEK);
  const [begin, end] = [days[0]?.fromMs ?? 0, days.at(-1)?.untilMs ?? 0];
  const range = { from: new Date(begin).toISOString(), until: new Date(end).toISOString() };
  const shifts = findContentShifts(layers, range, findPerson(persons));
  return (
    <section className="card following" aria-label={t.onCall.preview}>
      <header>
        <div>
          <h2>{t.onCall.preview}</h2>
          <p className="faint tight">{t.onCall.inZone(zone)}</p>
        </div>
      </header>
      {shifts ? (
        <CalendarView
          label={t.onCall.calendar}
          zone={zone}
          first={first}
          weeks={WEEKS}
          lanes={[{ shifts }]}
          people={people}
          now={new Date()}
          mostListed={MOST_LISTED}
        />
      ) : (
        <p className="body muted tight">{t.onCall.incomplete}</p>
      )}
    </section>
  );
}

/** The Monday of this week, or of the first shift if the rotation begins later. */
function firstDay(layers: readonly Layer[], zone: string): Day {
  const clock = clockOf(zone);
  const starts = layers.map(({ starts_at: start }) => Date.parse(start)).filter((at) => !Number.isNaN(at));
  const fromMs = Math.max(Date.now(), starts.length > 0 ? Math.min(...starts) : 0);
  return weeksOf("week", dayAt(clock, fromMs)).first;
}
