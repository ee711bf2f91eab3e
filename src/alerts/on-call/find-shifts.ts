import { type AssignedTime, layerShifts } from "./layer-shifts.ts";
import {
  type OnCallOverride,
  type OnCallSettings,
  type Participant,
  participantKey,
} from "./on-call-schedule.ts";

/** Time in which the same participant is on call for the same reason. */
export interface OnCallShift {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
  /** Missing: no participant is on call, and the fallback recipients are notified. */
  readonly participant?: Participant;
  /** Name of the layer. Missing: an override assigns the shift, or no participant is on call. */
  readonly layer?: string;
  /** Id of the override. */
  readonly override?: string;
}

interface FindShifts {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
  /** All overrides of the schedule in the range, in any order. */
  readonly overrides: readonly Pick<OnCallOverride, "_id" | "number" | "participant" | "from" | "until">[];
  /** Whether a participant can be notified. The shifts of others pass to the layer below. */
  readonly isPresent: (participant: Participant) => boolean;
}

/**
 * Shifts of a schedule that cover a range without gaps, the earliest first. Overrides have priority over layers, the
 * latest one first, and later layers over earlier ones. The result depends on the arguments only.
 * @throws RangeError for an unknown zone
 */
export function findShifts(
  { layers }: Pick<OnCallSettings, "layers">,
  { from, until, overrides, isPresent }: FindShifts,
): OnCallShift[] {
  const [fromMs, untilMs] = [from.getTime(), until.getTime()];
  const sources = [
    ...layers.map((layer) => layerShifts(layer, fromMs, untilMs)),
    ...[...overrides].sort((a, b) => a.number - b.number).map((one) => overrideTimes(one, fromMs, untilMs)),
  ];
  const present = sources.map((times) => times.filter(({ participant }) => isPresent(participant)));
  return withGaps(merged(overlayAll(present)), fromMs, untilMs);
}

function overrideTimes(
  { _id: override, participant, from, until }: FindShifts["overrides"][number],
  fromMs: number,
  untilMs: number,
): AssignedTime[] {
  const beginMs = Math.max(from.getTime(), fromMs);
  const endMs = Math.min(until.getTime(), untilMs);
  return beginMs < endMs ? [{ fromMs: beginMs, untilMs: endMs, participant, override }] : [];
}

/**
 * Puts each list over the earlier ones. Combines halves, because adding lists one by one would copy the shifts of a
 * year once for each of 1,000 overrides.
 */
function overlayAll(lists: readonly (readonly AssignedTime[])[]): readonly AssignedTime[] {
  const [first = []] = lists;
  if (lists.length <= 1) return first;
  const middle = lists.length >> 1;
  return overlay(overlayAll(lists.slice(0, middle)), overlayAll(lists.slice(middle)));
}

/** Puts times over others. Each list is in order, and does not overlap. */
function overlay(lower: readonly AssignedTime[], upper: readonly AssignedTime[]): AssignedTime[] {
  const visible: AssignedTime[] = [];
  let first = 0;
  for (const time of lower) {
    while (first < upper.length && (upper[first]?.untilMs ?? 0) <= time.fromMs) first++;
    let { fromMs } = time;
    for (let at = first; at < upper.length; at++) {
      const above = upper[at];
      if (!above || above.fromMs >= time.untilMs) break;
      if (above.fromMs > fromMs) visible.push({ ...time, fromMs, untilMs: above.fromMs });
      fromMs = Math.max(fromMs, above.untilMs);
    }
    if (fromMs < time.untilMs) visible.push({ ...time, fromMs });
  }
  return [...visible, ...upper].sort((a, b) => a.fromMs - b.fromMs);
}

/** Joins adjacent times of the same participant in the same layer or override. */
function merged(times: readonly AssignedTime[]): AssignedTime[] {
  const joined: AssignedTime[] = [];
  for (const time of times) {
    const last = joined.at(-1);
    const isSame =
      last?.untilMs === time.fromMs &&
      last.layer === time.layer &&
      last.override === time.override &&
      participantKey(last.participant) === participantKey(time.participant);
    if (last && isSame) joined[joined.length - 1] = { ...last, untilMs: time.untilMs };
    else joined.push(time);
  }
  return joined;
}

/** Adds the times without a participant on call. */
function withGaps(times: readonly AssignedTime[], fromMs: number, untilMs: number): OnCallShift[] {
  const shifts: OnCallShift[] = [];
  const addGap = (beginMs: number, endMs: number) => {
    if (beginMs < endMs) shifts.push({ from: new Date(beginMs), until: new Date(endMs) });
  };
  let atMs = fromMs;
  for (const { fromMs: beginMs, untilMs: endMs, ...by } of times) {
    addGap(atMs, beginMs);
    shifts.push({ from: new Date(beginMs), until: new Date(endMs), ...by });
    atMs = endMs;
  }
  addGap(atMs, untilMs);
  return shifts;
}
