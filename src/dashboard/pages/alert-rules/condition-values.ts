import type { Condition } from "../../api/rules.ts";

export type ConditionValue = Condition["value"];

/** Fields of an alert. Those of `context` have any name. */
export const alertFields = [
  "event_type",
  "severity",
  "source",
  "entity_type",
  "entity_id",
  "message",
  "context.",
] as const;

/** In ascending order. */
export const severities = ["info", "warning", "critical"] as const;

const operators = ["eq", "ne", "in", "prefix", "glob", "contains", "exists", "gte", "lte"] as const;
export type Operator = (typeof operators)[number];

/** The operators of a field. A severity has an order, and no parts. */
export const operatorsOf = (field: string): readonly Operator[] =>
  field === "severity" ? ["eq", "in", "gte", "lte"] : operators;

/** How a value is entered. Only fields of `context` have values that are not text. */
export type ValueKind = "text" | "number" | "flag" | "list";

export function kindOf({ op, value }: Pick<Condition, "op" | "value">): ValueKind {
  if (op === "in") return "list";
  if (op === "exists" || typeof value === "boolean") return "flag";
  return typeof value === "number" ? "number" : "text";
}

/** The value in another kind, as close to it as possible. */
export function valueAs(kind: ValueKind, value: ConditionValue): ConditionValue {
  const [first = ""] = Array.isArray(value) ? value : [value];
  if (kind === "list") return Array.isArray(value) ? value : first === "" ? [] : [first];
  if (kind === "flag") return typeof first === "boolean" ? first : true;
  if (kind === "number") return Number.isFinite(Number(first)) ? Number(first) : 0;
  return String(first);
}

/** The condition with another field or operator, and a value that fits. */
export function withOperator(
  condition: Condition,
  changes: Partial<Pick<Condition, "field" | "op">>,
): Condition {
  const { field, op: asked } = { ...condition, ...changes };
  const op = operatorsOf(field).find((one) => one === asked) ?? "eq";
  // The answer to "exists" is no value of the field.
  const value = condition.op === "exists" && op !== "exists" ? "" : condition.value;
  const isTyped = field.startsWith("context.") && !Array.isArray(value);
  const kind = op === "in" ? "list" : op === "exists" ? "flag" : isTyped ? kindOf({ op, value }) : "text";
  const fitting = valueAs(kind, value);
  const isSeverity = kind !== "text" || field !== "severity" || severities.some((one) => one === fitting);
  return { field, op, value: isSeverity ? fitting : "critical" };
}

/** A condition as one line: `event_type glob disk.*`. */
export function conditionText({ field, op, value }: Condition): string {
  const shown = Array.isArray(value)
    ? value.join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
  return `${field} ${op} ${shown}`;
}
