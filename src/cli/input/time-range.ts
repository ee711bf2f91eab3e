import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CommandOption } from "../core-command.ts";
import { readMoment } from "./read-options.ts";

/** The values of the options that choose by time. */
export interface TimeRange {
  readonly from?: Date;
  readonly until?: Date;
}

/** The options that choose by time. */
export const TIME_RANGE: readonly CommandOption[] = [
  ["--from <moment>", "from then on, as 2030-01-02T09:00:00Z", readMoment],
  ["--until <moment>", "before then", readMoment],
];

/** The same in a request. */
export function timesOf({ from, until }: TimeRange) {
  return {
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}
