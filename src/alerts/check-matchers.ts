import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import { contextPath, isField, MAX_CONTEXT_DEPTH, SEVERITY_FIELD, severities, textFields } from "./alert.ts";
import {
  type Condition,
  type ConditionValue,
  type Matchers,
  type Operator,
  severitiesMeeting,
} from "./condition.ts";

/** Reports an error. @param pointer JSON pointer (RFC 6901) below the matchers */
export type AddFault = (pointer: string, code: FieldFaultCodeName, message: FaultText) => void;

export const MAX_CONDITIONS = 32;
const MAX_VALUES = 100;
const MAX_TEXT = 1_000;
const MAX_FIELD = 200;

/** Operators for texts, for the severity, and for values of the context. */
const TEXT_OPERATORS: readonly Operator[] = ["eq", "ne", "in", "prefix", "glob", "contains", "exists"];
const SEVERITY_OPERATORS: readonly Operator[] = ["eq", "in", "gte", "lte"];
const CONTEXT_OPERATORS: readonly Operator[] = [...TEXT_OPERATORS, "gte", "lte"];

/** Finds conditions that no alert can meet as intended, before they are stored. */
export function checkMatchers({ match, any }: Matchers, add: AddFault): void {
  if (match.length + any.length > MAX_CONDITIONS)
    add(
      match.length > 0 ? "/match" : "/any",
      "field.too_many",
      say("conditions_at_most", { max: MAX_CONDITIONS }),
    );
  for (const [index, condition] of match.entries()) checkCondition(condition, `/match/${index}`, add);
  for (const [index, condition] of any.entries()) checkCondition(condition, `/any/${index}`, add);
}

/** Whether every alert meets the matchers. */
export function meetsEverything({ match, any }: Matchers): boolean {
  return match.every((condition) => isAlwaysMet([condition])) && (any.length === 0 || isAlwaysMet(any));
}

/** Fields that every alert has. */
const NEEDED: readonly string[] = ["event_type", "source", "message"];

/** Whether at least one of the conditions holds for every alert. */
function isAlwaysMet(any: readonly Condition[]): boolean {
  const met = any.filter(({ field }) => field === SEVERITY_FIELD).flatMap(severitiesMeeting);
  return (
    severities.every((severity) => met.includes(severity)) ||
    any.some(({ field, op, value }) => {
      if (op === "exists" && value === true) {
        const isAbsence = (one: Condition) =>
          one.field === field && one.op === "exists" && one.value === false;
        return NEEDED.includes(field) || any.some(isAbsence);
      }
      // These fields are never empty.
      if (op === "ne") return value === "" && textFields.includes(field);
      return NEEDED.includes(field) && op === "glob" && typeof value === "string" && /^\*+$/.test(value);
    })
  );
}

function checkCondition({ field, op, value }: Condition, at: string, add: AddFault): void {
  if (field.length > MAX_FIELD || !isField(field)) {
    const allowed = [SEVERITY_FIELD, ...textFields];
    const message = say("condition_field", { allowed, max: MAX_CONTEXT_DEPTH });
    add(`${at}/field`, "field.invalid", message);
    return;
  }
  const known = operatorsOf(field);
  if (!known.includes(op)) {
    add(`${at}/op`, "field.invalid", say("operators_of_field", { name: field, allowed: known }));
    return;
  }
  const problem = valueProblem(field, op, value);
  if (problem !== undefined) add(`${at}/value`, "field.invalid", problem);
}

function operatorsOf(field: string): readonly Operator[] {
  if (field === SEVERITY_FIELD) return SEVERITY_OPERATORS;
  return contextPath(field) ? CONTEXT_OPERATORS : TEXT_OPERATORS;
}

/** undefined if there is none. */
function valueProblem(field: string, op: Operator, value: Condition["value"]): FaultText | undefined {
  if (op === "exists") return typeof value === "boolean" ? undefined : say("boolean");
  if (op === "in") {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES)
      return say("list_of_values", { max: MAX_VALUES });
    return value.map((one) => oneProblem(field, "eq", one)).find((problem) => problem !== undefined);
  }
  return Array.isArray(value) ? say("one_value") : oneProblem(field, op, value as ConditionValue);
}

function oneProblem(field: string, op: Operator, value: ConditionValue): FaultText | undefined {
  if (field === SEVERITY_FIELD)
    return severities.some((one) => one === value) ? undefined : say("one_of", { allowed: severities });
  if (op === "gte" || op === "lte")
    return typeof value === "number" && Number.isFinite(value) ? undefined : say("number");
  const isOfContext = contextPath(field) !== undefined;
  if (op === "eq" || op === "ne") {
    if (typeof value === "string")
      return value.length <= MAX_TEXT ? undefined : say("text_most_characters", { max: MAX_TEXT });
    return isOfContext ? undefined : say("text");
  }
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT)
    return say("text_of_characters", { max: MAX_TEXT });
  return undefined;
}
