import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CommandOption } from "../core-command.ts";
import { readMoment } from "./read-options.ts";

/** Values of the options that filter by time. */
export interface TimeRange {
  readonly from?: Date;
  readonly until?: Date;
}

/** Options that filter by time. */
export const TIME_RANGE: readonly CommandOption[] = [
  ["--from <moment>", "at or after this time, for example 2030-01-02T09:00:00Z", readMoment],
  ["--until <moment>", "before this time", readMoment],
];

/** The time range of a request. */
export function timesOf({ from, until }: TimeRange) {
  return {
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}
