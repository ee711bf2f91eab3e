import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import type { FieldFault } from "../shared/fault.ts";
import type { FaultText } from "../shared/fault-text.ts";
import { jsonPointer } from "../shared/json-pointer.ts";

/** Collects the errors of a request, so that the client receives all of them at once. */
export interface FieldFaults {
  add(pointer: string, code: FieldFaultCodeName, message: FaultText): void;
  readonly found: readonly FieldFault[];
}

export function createFieldFaults(): FieldFaults {
  const found: FieldFault[] = [];
  return { found, add: (pointer, code, message) => void found.push({ pointer, code, message }) };
}

/** A JSON pointer (RFC 6901) from its parts. */
export function pointer(...parts: readonly (string | number)[]): string {
  return jsonPointer(parts);
}
