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
} from "../../store/counters/counter-documents.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { createPoints } from "./points.ts";
import { readRange } from "./read-range.ts";

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
  const { from, until, step } = readRange(request, now, faults, counterSteps);
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
