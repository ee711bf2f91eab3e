import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createFieldFaults } from "../field-faults.ts";

const MAX_REASON = 500;
/** Reasons may contain line breaks. */
const CONTROL = /[^\P{Cc}\n\r\t]/u;

/**
 * Reason of a mute; empty: none.
 * @throws Fault request.validation_failed
 */
export function readMuteReason(given: string): string {
  const reason = given.trim();
  const faults = createFieldFaults();
  if ([...reason].length > MAX_REASON)
    faults.add("/reason", "field.too_long", say("at_most_characters", { max: MAX_REASON }));
  if (CONTROL.test(reason)) faults.add("/reason", "field.invalid", say("control_character"));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return reason;
}
