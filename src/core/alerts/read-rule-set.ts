import type { AlertRuleSettings } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createFieldFaults } from "../field-faults.ts";
import { readRule } from "./read-rule.ts";
import { type CompiledRule, compileRule } from "./rule-sets.ts";

const MAX_TESTED = 2_000;

/**
 * Reads rules that are tested in place of stored ones. Rules of the same order are evaluated in the given order.
 * @throws Fault request.validation_failed
 */
export function readSet(given: readonly AlertRuleSettings[]): CompiledRule[] {
  const faults = createFieldFaults();
  if (given.length > MAX_TESTED) faults.add("/rules", "field.too_many", say("at_most", { max: MAX_TESTED }));
  const read = given.slice(0, MAX_TESTED).map((one, index) => readRule(one, `/rules/rules/${index}`, faults));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return read.map((settings, index) => compileRule(String(index).padStart(4, "0"), 1, settings));
}
