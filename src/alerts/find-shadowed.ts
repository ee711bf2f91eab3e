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
  /** The rule before it that takes whatever it would take. */
  readonly by: R;
}

/**
 * Rules that are never asked, because a rule before them takes all that they would take, and stops. Each rule that is found is never
 * asked. Where only several rules together take as much, the rule behind them is not found.
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

/** The rule in whose shadow one is; undefined: in none that is known. */
export function shadowOf<R extends DecidingRule>(all: readonly R[], id: string): R | undefined {
  const rules = enabledInOrder(all);
  const position = rules.findIndex((rule) => rule.id === id);
  const rule = rules[position];
  if (!rule) return undefined;
  return rules.slice(0, position).find((earlier) => shadows(earlier, rule));
}

/**
 * Whether the earlier rule leaves the later one nothing to take. A rule for unmatched alerts is passed over where another one takes the
 * alert, and then stops nothing: it shadows only rules of its own kind.
 */
function shadows(earlier: DecidingRule, later: DecidingRule): boolean {
  const isLast = (earlier.stop || earlier.effect === "drop") && !earlier.onlyUnmatched;
  return (isLast || later.onlyUnmatched === true) && includes(earlier.matchers, later.matchers);
}

/** Whether whatever meets the inner matchers meets the outer ones. False: nobody knows. */
function includes(outer: Matchers, inner: Matchers): boolean {
  const isImplied = (condition: Condition) => inner.match.some((known) => implies(known, condition));
  if (!outer.match.every(isImplied)) return false;
  if (outer.any.length === 0 || outer.any.some(isImplied)) return true;
  return inner.any.length > 0 && inner.any.every((known) => outer.any.some((one) => implies(known, one)));
}

/** Whether what holds for a field makes another condition on it hold. */
function implies(known: Condition, other: Condition): boolean {
  const { field } = known;
  if (field !== other.field) return false;
  if (JSON.stringify(known) === JSON.stringify(other)) return true;
  if (field === SEVERITY_FIELD)
    return severitiesMeeting(known).every((one) => severitiesMeeting(other).includes(one));
  // It stands there then, whatever it is.
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

/** Whether a condition holds where the field is this. */
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
