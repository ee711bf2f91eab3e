import type { FieldFaultCodeName } from "../../contracts/common/field-fault-codes.ts";
import { contextPath, isField, MAX_CONTEXT_DEPTH, SEVERITY_FIELD, severities, textFields } from "./alert.ts";
import {
  type Condition,
  type ConditionValue,
  type Matchers,
  type Operator,
  severitiesMeeting,
} from "./condition.ts";

/** Told of everything that is wrong. @param pointer a JSON pointer (RFC 6901) below the matchers */
export type AddFault = (pointer: string, code: FieldFaultCodeName, message: string) => void;

export const MAX_CONDITIONS = 32;
const MAX_VALUES = 100;
const MAX_TEXT = 1_000;
const MAX_FIELD = 200;

/** What can be asked of a text, of the severity, and of what a context has. */
const TEXT_OPERATORS: readonly Operator[] = ["eq", "ne", "in", "prefix", "glob", "contains", "exists"];
const SEVERITY_OPERATORS: readonly Operator[] = ["eq", "in", "gte", "lte"];
const CONTEXT_OPERATORS: readonly Operator[] = [...TEXT_OPERATORS, "gte", "lte"];

/** Finds what no alert could ever meet as it was meant, before it is stored. */
export function checkMatchers({ match, any }: Matchers, add: AddFault): void {
  if (match.length + any.length > MAX_CONDITIONS)
    add(
      match.length > 0 ? "/match" : "/any",
      "field.too_many",
      `There are at most ${MAX_CONDITIONS} conditions.`,
    );
  for (const [index, condition] of match.entries()) checkCondition(condition, `/match/${index}`, add);
  for (const [index, condition] of any.entries()) checkCondition(condition, `/any/${index}`, add);
}

/** Whether every alert meets them, whatever it says. */
export function meetsEverything({ match, any }: Matchers): boolean {
  return match.every((condition) => isAlwaysMet([condition])) && (any.length === 0 || isAlwaysMet(any));
}

/** Fields that every alert has. */
const NEEDED: readonly string[] = ["event_type", "source", "message"];

/** Whether one of the conditions holds for every alert. */
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
      // What an alert has of these is never empty.
      if (op === "ne") return value === "" && textFields.includes(field);
      return NEEDED.includes(field) && op === "glob" && typeof value === "string" && /^\*+$/.test(value);
    })
  );
}

function checkCondition({ field, op, value }: Condition, at: string, add: AddFault): void {
  if (field.length > MAX_FIELD || !isField(field)) {
    const names = [SEVERITY_FIELD, ...textFields].join(", ");
    const message = `A condition is about ${names}, or context.name, with ${MAX_CONTEXT_DEPTH} names at most.`;
    add(`${at}/field`, "field.invalid", message);
    return;
  }
  const known = operatorsOf(field);
  if (!known.includes(op)) {
    add(`${at}/op`, "field.invalid", `What can be asked of ${field} is ${known.join(", ")}.`);
    return;
  }
  const problem = valueProblem(field, op, value);
  if (problem !== undefined) add(`${at}/value`, "field.invalid", problem);
}

function operatorsOf(field: string): readonly Operator[] {
  if (field === SEVERITY_FIELD) return SEVERITY_OPERATORS;
  return contextPath(field) ? CONTEXT_OPERATORS : TEXT_OPERATORS;
}

/** undefined: there is none. */
function valueProblem(field: string, op: Operator, value: Condition["value"]): string | undefined {
  if (op === "exists") return typeof value === "boolean" ? undefined : "It is true or false.";
  if (op === "in") {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES)
      return `It is a list of 1 to ${MAX_VALUES} values.`;
    return value.map((one) => oneProblem(field, "eq", one)).find((problem) => problem !== undefined);
  }
  return Array.isArray(value)
    ? "It is one value, and no list."
    : oneProblem(field, op, value as ConditionValue);
}

function oneProblem(field: string, op: Operator, value: ConditionValue): string | undefined {
  if (field === SEVERITY_FIELD)
    return severities.some((one) => one === value) ? undefined : `It is one of ${severities.join(", ")}.`;
  if (op === "gte" || op === "lte")
    return typeof value === "number" && Number.isFinite(value) ? undefined : "It is a number.";
  const isOfContext = contextPath(field) !== undefined;
  if (op === "eq" || op === "ne") {
    if (typeof value === "string")
      return value.length <= MAX_TEXT ? undefined : `A text has at most ${MAX_TEXT} characters.`;
    return isOfContext ? undefined : "It is a text.";
  }
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT)
    return `It is a text of 1 to ${MAX_TEXT} characters.`;
  return undefined;
}
