import { Problem } from "../../api/problem.ts";
import { faultText } from "../../texts/fault-text.ts";
import { valueAt } from "./draft-content.ts";

/** A fault of one part of the settings. */
export interface DraftFault {
  /** JSON pointer in the settings. */
  readonly pointer: string;
  readonly text: string;
}

/** @param field the field of the request that has the settings, as a pointer; empty: the request itself */
export function faultsOf(error: Error | null, field = ""): readonly DraftFault[] {
  if (!(error instanceof Problem)) return [];
  return error.errors
    .filter(({ pointer }) => pointer === field || pointer.startsWith(`${field}/`))
    .map((fault) => ({ pointer: fault.pointer.slice(field.length), text: faultText(fault, fault.message) }));
}

/** The faults that a change of the settings leaves: those of parts with the same value. */
export const faultsAfter = (
  faults: readonly DraftFault[],
  before: object,
  after: object,
): readonly DraftFault[] =>
  faults.filter(
    ({ pointer }) => JSON.stringify(valueAt(before, pointer)) === JSON.stringify(valueAt(after, pointer)),
  );

/** The text of the faults at a pointer, for the field that shows it. */
export type FaultAt = (pointer: string) => string | undefined;

/** The text of the faults at a pointer; with `/*` at its end, also of those below it. */
export const faultAtOf =
  (faults: readonly DraftFault[]): FaultAt =>
  (pointer) => {
    const whole = pointer.endsWith("/*") ? pointer.slice(0, -2) : pointer;
    const isBelow = whole !== pointer;
    const found = faults.filter(
      (one) => one.pointer === whole || (isBelow && one.pointer.startsWith(`${whole}/`)),
    );
    return found.length === 0 ? undefined : found.map(({ text }) => text).join(" ");
  };
