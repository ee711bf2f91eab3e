import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { say } from "../../shared/fault-text.ts";
import { type CounterStep, stepMs } from "../../store/counters/counter-documents.ts";
import type { FieldFaults } from "../field-faults.ts";

const DAY_MS = 86_400_000;
/** A plot shows no more points. */
const MAX_POINTS = 1_500;
/** Steps for a range of at most this length, so that it has some hundred points. */
const LONGEST_MS: readonly (readonly [CounterStep, number])[] = [
  ["minute", DAY_MS / 4],
  ["hour", 14 * DAY_MS],
];

/** Time range of a plot. */
export interface Range<Step extends CounterStep> {
  readonly from: Date;
  readonly until: Date;
  /** Undefined: the range is invalid, and has a fault. */
  readonly step: Step | undefined;
}

interface RangeRequest {
  readonly from?: Timestamp | undefined;
  readonly until?: Timestamp | undefined;
  readonly step: string;
}

/**
 * Reads a time range and its step, and adds their errors to the faults. Default: the last day.
 * @param allowed steps with counters
 */
export function readRange<Step extends CounterStep>(
  request: RangeRequest,
  now: Date,
  faults: FieldFaults,
  allowed: readonly Step[],
): Range<Step> {
  const until = request.until ? timestampDate(request.until) : now;
  const from = request.from ? timestampDate(request.from) : new Date(until.getTime() - DAY_MS);
  const lengthMs = until.getTime() - from.getTime();
  if (lengthMs <= 0) faults.add("/until", "field.invalid", say("end_lie_behind_beginning"));
  const fits = ([one, mostMs]: (typeof LONGEST_MS)[number]) =>
    lengthMs <= mostMs && allowed.some((step) => step === one);
  const chosen = LONGEST_MS.find(fits)?.[0] ?? "day";
  const step = allowed.find((one) => one === (request.step || chosen));
  if (!step) faults.add("/step", "field.invalid", say("step_one_of", { allowed }));
  if (step && lengthMs / stepMs[step] > MAX_POINTS) {
    const message = say("span_points_most_take_longer_step", { max: MAX_POINTS });
    faults.add("/step", "field.invalid", message);
  }
  return { from, until, step };
}
