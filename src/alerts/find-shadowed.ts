import { type Alert, contextPath, SEVERITY_FIELD } from "./alert.ts";
import {
  type Condition,
  type ConditionValue,
  compileCondition,
  type Matchers,
  severitiesMeeting,
} from "./condition.ts";
import { type DecidingRule, enabledInOrder } from "./decide.ts";

export interface Shadowed<R> {
  readonly rule: R;
  /** Earlier rule that takes all of its alerts. */
  readonly by: R;
}

/**
 * Finds rules that are never evaluated, because one earlier rule takes all of their alerts and stops. All results are certain. A
 * rule that is shadowed only by several rules together is not found.
 */
export function findShadowed<R extends DecidingRule>(all: readonly R[]): Shadowed<R>[] {
  const before: R[] = [];
  const found: Shadowed<R>[] = [];
  for (const rule of enabledInOrder(all)) {
    const by = before.find((earlier) => shadows(earlier, rule));
    if (by) found.push({ rule, by });
    else before.push(rule);
  }
  return found;
}

/** Rule that shadows the given one; undefined if none is known. */
export function shadowOf<R extends DecidingRule>(all: readonly R[], id: string): R | undefined {
  const rules = enabledInOrder(all);
  const position = rules.findIndex((rule) => rule.id === id);
  const rule = rules[position];
  if (!rule) return undefined;
  return rules.slice(0, position).find((earlier) => shadows(earlier, rule));
}

/**
 * Whether the earlier rule leaves no alert to the later one. A rule for unmatched alerts is skipped if another rule takes the
 * alert, and then does not stop: it shadows only rules of its own kind.
 */
function shadows(earlier: DecidingRule, later: DecidingRule): boolean {
  const isLast = (earlier.stop || earlier.effect === "drop") && !earlier.onlyUnmatched;
  return (isLast || later.onlyUnmatched === true) && includes(earlier.matchers, later.matchers);
}

/** Whether all alerts that meet the inner matchers meet the outer ones. False also stands for unknown. */
function includes(outer: Matchers, inner: Matchers): boolean {
  const isImplied = (condition: Condition) => inner.match.some((known) => implies(known, condition));
  if (!outer.match.every(isImplied)) return false;
  if (outer.any.length === 0 || outer.any.some(isImplied)) return true;
  return inner.any.length > 0 && inner.any.every((known) => outer.any.some((one) => implies(known, one)));
}

/** Whether one condition implies another on the same field. */
function implies(known: Condition, other: Condition): boolean {
  const { field } = known;
  if (field !== other.field) return false;
  if (JSON.stringify(known) === JSON.stringify(other)) return true;
  if (field === SEVERITY_FIELD)
    return severitiesMeeting(known).every((one) => severitiesMeeting(other).includes(one));
  // The field has a value then.
  if (other.op === "exists") return other.value === true && known.op !== "ne" && known.op !== "exists";
  if (known.op === "eq" || known.op === "in") {
    const values = Array.isArray(known.value) ? known.value : [known.value];
    return values.every((value) => holdsFor(field, value, other));
  }
  if (known.op !== "prefix" || typeof known.value !== "string") return false;
  if (other.op === "prefix") return known.value.startsWith(String(other.value));
  const head = other.op === "glob" && /^([^*]*)\*+$/.exec(String(other.value))?.[1];
  return typeof head === "string" && known.value.startsWith(head);
}

/** Whether a condition holds if the field has this value. */
function holdsFor(field: string, value: ConditionValue, condition: Condition): boolean {
  const names = contextPath(field);
  const context = names?.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const alert: Alert = {
    eventType: "",
    severity: "info",
    source: "",
    message: "",
    context: {},
    ...(names && { context: context as Alert["context"] }),
    ...(field === "event_type" && { eventType: String(value) }),
    ...(field === "source" && { source: String(value) }),
    ...(field === "message" && { message: String(value) }),
    ...(field === "entity_type" && { entityType: String(value) }),
    ...(field === "entity_id" && { entityId: String(value) }),
  };
  return compileCondition(condition)(alert) === "holds";
}
