import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  CountMessagesRequest,
  MeasureLatencyRequest,
} from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isTimeZone } from "../../shared/time-zone.ts";
import {
  type CounterDimension,
  type CounterKind,
  type CounterStep,
  counterDimensions,
  counterKinds,
  counterSteps,
  stepMs,
} from "../../store/counters/counter-documents.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { createPoints } from "./points.ts";

const DAY_MS = 86_400_000;
/** A plot shows no more points. */
const MAX_POINTS = 1_500;
/** Steps for a range of at most this length, so that it has some hundred points. */
const LONGEST_MS: readonly (readonly [CounterStep, number])[] = [
  ["minute", DAY_MS / 4],
  ["hour", 14 * DAY_MS],
];
const MAX_VALUES = 50;
const TOP = 10;

/** Request for a count. */
export interface Count {
  readonly step: CounterStep;
  /** Start of each point. */
  readonly points: readonly Date[];
  /** End of the last one. */
  readonly end: Date;
  /** Step of the counters that points are made of: a day of a time zone consists of hours. */
  readonly readStep: CounterStep;
  readonly kinds: readonly CounterKind[];
  readonly dimension: CounterDimension;
  /** undefined: the values with the highest counts. */
  readonly values: readonly string[] | undefined;
  readonly top: number;
}

/** @throws Fault request.validation_failed */
export function readCount(request: CountMessagesRequest | MeasureLatencyRequest, now: Date): Count {
  const faults = createFieldFaults();
  const until = request.until ? timestampDate(request.until) : now;
  const from = request.from ? timestampDate(request.from) : new Date(until.getTime() - DAY_MS);
  const lengthMs = until.getTime() - from.getTime();
  if (lengthMs <= 0) faults.add("/until", "field.invalid", say("end_lie_behind_beginning"));
  const chosen = LONGEST_MS.find(([, mostMs]) => lengthMs <= mostMs)?.[0] ?? "day";
  const step = oneOf(counterSteps, request.step || chosen);
  if (!step) faults.add("/step", "field.invalid", say("step_one_of", { allowed: counterSteps }));
  const dimension = oneOf(counterDimensions, request.dimension || "total");
  if (!dimension)
    faults.add("/dimension", "field.invalid", say("dimension_one_of", { allowed: counterDimensions }));
  const asked = "kinds" in request ? request.kinds : [];
  const kinds = asked.flatMap((kind, index) => {
    const known = oneOf(counterKinds, kind);
    if (!known)
      faults.add(pointer("kinds", index), "field.invalid", say("kind_one_of", { allowed: counterKinds }));
    return known ?? [];
  });
  const { values, top = 0 } = request;
  if (values.length > MAX_VALUES)
    faults.add("/values", "field.invalid", say("most_values_counted_once", { max: MAX_VALUES }));
  if (values.length > 0 && dimension === "total")
    faults.add("/values", "field.invalid", say("total_no_values_name_dimension"));
  if (top > MAX_VALUES)
    faults.add("/top", "field.invalid", say("most_values_series_their_own", { max: MAX_VALUES }));
  const zone = request.timeZone || "UTC";
  if (!isTimeZone(zone)) faults.add("/time_zone", "field.invalid", say("time_zone_name_iana_list_europe"));
  if (step && lengthMs / stepMs[step] > MAX_POINTS) {
    const message = say("span_points_most_take_longer_step", { max: MAX_POINTS });
    faults.add("/step", "field.invalid", message);
  }
  if (faults.found.length > 0 || !step || !dimension) throw validationFault(faults.found);
  const { points, end } = createPoints({ step, from, until, zone });
  return {
    step,
    points,
    end,
    dimension,
    readStep: step === "day" && zone !== "UTC" ? "hour" : step,
    kinds: kinds.length > 0 ? kinds : counterKinds,
    values: values.length > 0 ? values : undefined,
    top: top || TOP,
  };
}

function oneOf<T extends string>(known: readonly T[], text: string): T | undefined {
  return known.find((one) => one === text);
}
