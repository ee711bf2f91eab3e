import { parseAddress } from "../message/addresses.ts";
import { type SuppressionReason, suppressionReasons } from "../store/documents.ts";
import type { FieldFaults } from "./field-faults.ts";

export function readSuppressedAddress(text: string, faults: FieldFaults): string | undefined {
  const result = parseAddress(text);
  if (result.ok) return result.address;
  faults.add("/address", result.code, result.message);
  return undefined;
}

export function readReason(text: string, faults: FieldFaults): SuppressionReason | undefined {
  const reason = suppressionReasons.find((one) => one === text);
  if (reason === undefined) {
    faults.add("/reason", "field.invalid", `"${text}" is none of ${suppressionReasons.join(", ")}.`);
  }
  return reason;
}
