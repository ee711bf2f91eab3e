import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { say } from "../shared/fault-text.ts";
import type { FieldFaults } from "./field-faults.ts";

/** A time range, with its start and without its end; undefined: open. */
export interface Span {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** Reads the time range of a filter, and adds its errors to the faults. */
export function readSpan(
  filter: { readonly from?: Timestamp | undefined; readonly until?: Timestamp | undefined },
  faults: FieldFaults,
): Span {
  const [from, until] = [filter.from, filter.until].map((time) => time && timestampDate(time));
  if (from && until && from >= until) {
    faults.add("/filter/until", "field.invalid", say("end_lie_behind_beginning"));
  }
  return { from, until };
}
