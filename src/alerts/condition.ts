import {
  type Alert,
  type FieldValue,
  fieldReader,
  SEVERITY_FIELD,
  type Severity,
  severities,
} from "./alert.ts";

export const operators = ["eq", "ne", "in", "prefix", "glob", "contains", "exists", "gte", "lte"] as const;
export type Operator = (typeof operators)[number];

export type ConditionValue = string | number | boolean;

/**
 * One condition on one field of an alert. A field matches only if it has the type of the value: the text "5" is not the number 5.
 * Texts are compared octet by octet.
 *
 * - `eq`, `ne`, `in`: the field is the value, is not the value, is one of the values. A missing field is not the value.
 * - `prefix`, `contains`, `glob`: the text begins with the value, contains it, or matches it, where `*` stands for any
 *   characters.
 * - `exists`: the alert has the field or, with `false`, does not have it.
 * - `gte`, `lte`: the number or severity is at least, or at most, the value.
 */
export interface Condition {
  readonly field: string;
  readonly op: Operator;
  readonly value: ConditionValue | readonly ConditionValue[];
}

/** All conditions of `match` must hold, and at least one of `any` if there are any. */
export interface Matchers {
  readonly match: readonly Condition[];
  readonly any: readonly Condition[];
}

/** `mismatch`: the type of the field differs from the type of the value. */
export type Verdict = "holds" | "fails" | "missing" | "mismatch";

export function compileCondition({ field, op, value }: Condition): (alert: Alert) => Verdict {
  const read = fieldReader(field);
  const test = testOf(field, op, value);
  return (alert) => test(read(alert));
}

/** Whether an alert meets all conditions. */
export function compileMatchers({ match, any }: Matchers): (alert: Alert) => boolean {
  const all = match.map(compileCondition);
  const some = any.map(compileCondition);
  return (alert) =>
    all.every((test) => test(alert) === "holds") &&
    (some.length === 0 || some.some((test) => test(alert) === "holds"));
}

/** Severities for which a condition on the severity holds, lowest first. */
export function severitiesMeeting({ op, value }: Condition): Severity[] {
  const test = testOf(SEVERITY_FIELD, op, value);
  return severities.filter((severity) => test(severity) === "holds");
}

type Test = (found: FieldValue) => Verdict;

function testOf(field: string, op: Operator, value: Condition["value"]): Test {
  if (op === "exists") return (found) => verdict((found !== undefined) === value);
  if (op === "gte" || op === "lte") return orderTest(field, op, value);
  const present = presentTest(op, value);
  return (found) => {
    if (found !== undefined) return present(found);
    return op === "ne" ? "holds" : "missing";
  };
}

function presentTest(op: Operator, value: Condition["value"]): (found: NonNullable<FieldValue>) => Verdict {
  if (op === "in") {
    const values = new Set(Array.isArray(value) ? value : [value]);
    const types = new Set([...values].map((one) => typeof one));
    return (found) =>
      types.has(typeof found as "string") ? verdict(values.has(found as string)) : "mismatch";
  }
  if (op === "eq" || op === "ne") {
    return (found) => {
      if (typeof found !== typeof value) return "mismatch";
      return verdict((found === value) === (op === "eq"));
    };
  }
  const matches = textTest(op, String(value));
  return (found) => (typeof found === "string" ? verdict(matches(found)) : "mismatch");
}

function textTest(op: Operator, value: string): (text: string) => boolean {
  if (op === "prefix") return (text) => text.startsWith(value);
  if (op === "contains") return (text) => text.includes(value);
  return globTest(value);
}

/** Runs in time proportional to the text, for any pattern: it searches each piece once, from left to right. */
export function globTest(pattern: string): (text: string) => boolean {
  const pieces = pattern.split("*");
  const [head = ""] = pieces;
  const tail = pieces.at(-1) ?? "";
  if (pieces.length === 1) return (text) => text === pattern;
  const middle = pieces.slice(1, -1).filter((piece) => piece !== "");
  return (text) => {
    if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length)
      return false;
    const end = text.length - tail.length;
    let at = head.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Compares severities by rank, not alphabetically. */
function orderTest(field: string, op: "gte" | "lte", value: Condition["value"]): Test {
  const isSeverity = field === SEVERITY_FIELD;
  const rank = (one: unknown): unknown => (isSeverity ? severities.indexOf(one as never) : one);
  const bound = rank(value);
  return (found) => {
    if (found === undefined) return "missing";
    const given = rank(found);
    if (typeof given !== "number" || typeof bound !== "number") return "mismatch";
    return verdict(op === "gte" ? given >= bound : given <= bound);
  };
}

const verdict = (holds: boolean): Verdict => (holds ? "holds" : "fails");
