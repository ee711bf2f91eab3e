import type { Shift } from "../../api/oncalls.ts";
import { t } from "../../texts/texts.ts";
import type { Bar } from "./calendar-days.ts";
import { type People, personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

/** Opens shifts of a calendar. */
export interface OpenShift {
  readonly onOpen: (shift: Shift) => void;
  /** Shifts that stand out. */
  readonly chosen: (shift: Shift) => boolean;
}

interface CalendarBarProps {
  readonly bar: Bar<Shift>;
  readonly zone: string;
  readonly people: People;
  readonly isDetailed: boolean;
  readonly open: OpenShift | undefined;
}

/** Part of a week below which a bar is too narrow to press: 8 hours still are 24 px in the narrowest calendar. */
const MIN_PRESSED = 0.3 / 7;

/** A shift in a week of the calendar, in the color of its person. */
export function CalendarBar({ bar, zone, people, isDetailed, open }: CalendarBarProps) {
  const { shift, from, until, hasBegin, hasEnd } = bar;
  const { person, override_id: override } = shift;
  const isOverride = override !== "";
  const text = shiftText(shift, zone);
  const shown = {
    className: "calendar-bar",
    title: text,
    "data-person": people.colorOf(person),
    "data-nobody": person === undefined,
    "data-override": isOverride,
    "data-begin": hasBegin,
    "data-end": hasEnd,
    style: { "--from": `${from * 100}%`, "--size": `${(until - from) * 100}%` } as React.CSSProperties,
  };
  const content = (
    <>
      <span className="cut">
        {people.shortName(person)}
        {isOverride && <i> {t.onCall.overrideMark}</i>}
      </span>
      {isDetailed && <span className="cut num">{zoneTexts(zone).clocks(shift.from, shift.until)}</span>}
      {/* The name of the button begins with its visible text (WCAG 2.5.3). */}
      <span className="skip-text"> {text}</span>
    </>
  );
  if (!open || until - from < MIN_PRESSED) return <span {...shown}>{content}</span>;
  return (
    <button type="button" {...shown} aria-pressed={open.chosen(shift)} onClick={() => open.onOpen(shift)}>
      {content}
    </button>
  );
}

/** A shift in one line: its person, times and reason. */
export function shiftText({ person, from, until, override_id: override }: Shift, zone: string): string {
  const text = t.onCall.shiftOf(personName(person), zoneTexts(zone).range(from, until));
  return override === "" ? text : `${text} (${t.onCall.override})`;
}
