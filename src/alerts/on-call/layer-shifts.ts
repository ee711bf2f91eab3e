import { createLocalTime, type LocalMs, type LocalTime } from "../../shared/local-time.ts";
import { minutesOf, type QuietWindow } from "../quiet-hours.ts";
import type { Handover, OnCallLayer, Participant, ShiftUnit } from "./on-call-schedule.ts";

/** Time in which one participant is on call. */
export interface AssignedTime {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly participant: Participant;
  /** Name of the layer that assigns the time. */
  readonly layer?: string;
  /** Id of the override that assigns the time. */
  readonly override?: string;
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNIT_MS: Readonly<Record<ShiftUnit, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

/**
 * Shifts of one layer within a range, without those of other layers, the earliest first.
 * @throws RangeError for an unknown zone
 */
export function layerShifts(layer: OnCallLayer, fromMs: number, untilMs: number): AssignedTime[] {
  const { name, participants, startsAt, zone, windows } = layer;
  const beginMs = Math.max(fromMs, startsAt.getTime());
  if (beginMs >= untilMs || participants.length === 0) return [];
  const clock = createLocalTime(zone);
  const handovers = createHandovers(layer, clock);
  const first = handovers.numberAt(beginMs);
  const shifts: AssignedTime[] = [];
  for (let number = first; ; number++) {
    const shiftMs = Math.max(handovers.momentOf(number), beginMs);
    if (shiftMs >= untilMs) break;
    const endMs = Math.min(handovers.momentOf(number + 1), untilMs);
    const participant = participants[(number - handovers.first) % participants.length];
    // A clock change can skip a whole shift of an hour.
    if (participant && shiftMs < endMs)
      shifts.push({ fromMs: shiftMs, untilMs: endMs, participant, layer: name });
  }
  if (windows.length === 0) return shifts;
  return within(shifts, windowSpans(windows, clock, { fromMs: beginMs, untilMs }));
}

/** Handovers of a layer, numbered in local time. `first` is the shift in which the layer begins. */
function createHandovers({ startsAt, shift, handover }: OnCallLayer, clock: LocalTime) {
  const lengthMs = UNIT_MS[shift.unit] * shift.length;
  const startMs = startsAt.getTime();
  const zero = lastHandover(handover, clock, startMs);

  const momentOf = (number: number) => clock.momentOf(zero + number * lengthMs);

  /** Number of the shift at a moment: that of the last handover before or at it. */
  function numberAt(atMs: number): number {
    let number = Math.floor((clock.localAt(atMs) - zero) / lengthMs);
    while (momentOf(number + 1) <= atMs) number++;
    while (momentOf(number) > atMs) number--;
    return number;
  }

  return { momentOf, numberAt, first: numberAt(startMs) };
}

/** Local time of the last handover by time of the day and weekday, at or before a moment. */
function lastHandover({ time, weekday }: Handover, clock: LocalTime, atMs: number): LocalMs {
  let local = dayOf(clock.localAt(atMs)) + DAY_MS + clockMs(time);
  const isOther = () => weekday !== undefined && isoWeekday(local) !== weekday;
  while (isOther() || clock.momentOf(local) > atMs) local -= DAY_MS;
  return local;
}

/** Time ranges of weekly windows, which neither overlap nor touch, the earliest first. */
function windowSpans(windows: readonly QuietWindow[], clock: LocalTime, { fromMs, untilMs }: Span): Span[] {
  const found: Span[] = [];
  // A clock change can skip one day, and a window can begin on the day before.
  const firstDay = dayOf(clock.localAt(fromMs)) - 2 * DAY_MS;
  const lastDay = dayOf(clock.localAt(untilMs)) + DAY_MS;
  for (let day = firstDay; day <= lastDay; day += DAY_MS)
    for (const { days, from, to } of windows) {
      if (days.length > 0 && !days.includes(isoWeekday(day))) continue;
      const [begin, end] = [clockMs(from), clockMs(to)];
      const endDay = end > begin ? day : day + DAY_MS;
      found.push({ fromMs: clock.momentOf(day + begin), untilMs: clock.momentOf(endDay + end) });
    }
  const spans: Span[] = [];
  for (const span of found.sort((a, b) => a.fromMs - b.fromMs)) {
    const last = spans.at(-1);
    if (last && span.fromMs <= last.untilMs)
      spans[spans.length - 1] = { ...last, untilMs: Math.max(last.untilMs, span.untilMs) };
    else spans.push(span);
  }
  return spans;
}

/** Parts of the shifts within the spans. Both are in order, and do not overlap. */
function within(shifts: readonly AssignedTime[], spans: readonly Span[]): AssignedTime[] {
  const parts: AssignedTime[] = [];
  let first = 0;
  for (const shift of shifts) {
    while (first < spans.length && (spans[first]?.untilMs ?? 0) <= shift.fromMs) first++;
    for (let at = first; at < spans.length; at++) {
      const span = spans[at];
      if (!span || span.fromMs >= shift.untilMs) break;
      const fromMs = Math.max(shift.fromMs, span.fromMs);
      const untilMs = Math.min(shift.untilMs, span.untilMs);
      if (fromMs < untilMs) parts.push({ ...shift, fromMs, untilMs });
    }
  }
  return parts;
}

const dayOf = (local: LocalMs) => Math.floor(local / DAY_MS) * DAY_MS;

/** 1 is Monday, 7 is Sunday. */
function isoWeekday(local: LocalMs): number {
  return new Date(local).getUTCDay() || 7;
}

/** @throws RangeError for a text that is no time of the day */
function clockMs(time: string): number {
  const minutes = minutesOf(time);
  if (minutes === undefined) throw new RangeError(`"${time}" is no time of the day`);
  return minutes * 60_000;
}
