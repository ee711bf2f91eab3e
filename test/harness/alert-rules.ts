import fc from "fast-check";
import type { Alert } from "../../src/alerts/alert.ts";
import type { Condition, Matchers } from "../../src/alerts/condition.ts";

const texts = ["", "cpu", "cpu.high", "cpu.low", "disk.full", "cp"] as const;
const severities = ["info", "warning", "critical"] as const;

export const alerts: fc.Arbitrary<Alert> = fc.record({
  eventType: fc.constantFrom(...texts),
  severity: fc.constantFrom(...severities),
  source: fc.constantFrom("a", "b"),
  // The last one exceeds the length that is searched unit by unit.
  message: fc.constantFrom("x", "cpu.high on a", "", `${"disk.full ".repeat(100)}cpu.low`),
  entityType: fc.constantFrom(undefined, "host"),
  entityId: fc.constantFrom(undefined, "a", "1"),
  context: fc.constantFrom({}, { n: 1 }, { n: "1" }, { n: { m: true } }),
});

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constantFrom("event_type", "source", "message", "entity_type", "entity_id", "context.n"),
    op: fc.constantFrom("eq", "ne", "prefix", "glob", "contains"),
    value: fc.constantFrom(
      ...texts,
      "a",
      "host",
      "1",
      "cpu*",
      "*high",
      "c*.*h",
      "*",
      "*.high*",
      "k.f",
      " on ",
    ),
  }),
  fc.record({
    field: fc.constantFrom("event_type", "source", "entity_id", "severity"),
    op: fc.constant("in" as const),
    value: fc.array(fc.constantFrom("cpu", "cpu.high", "a", "critical", "info"), { maxLength: 3 }),
  }),
  fc.record({
    field: fc.constant("severity"),
    op: fc.constantFrom("gte", "lte", "eq"),
    value: fc.constantFrom(...severities),
  }),
  fc.record({
    field: fc.constantFrom("entity_id", "context.n.m", "context.n"),
    op: fc.constant("exists" as const),
    value: fc.boolean(),
  }),
  fc.record({
    field: fc.constant("context.n"),
    op: fc.constantFrom("gte", "lte", "eq"),
    value: fc.constantFrom(0, 1, 2),
  }),
);

export const matchers: fc.Arbitrary<Matchers> = fc.record({
  match: fc.array(conditions, { maxLength: 3 }),
  any: fc.array(conditions, { maxLength: 2 }),
});

/** Whether an alert meets conditions, as a reader of the documentation would find by hand. */
export function isMet({ match, any }: Matchers, alert: Alert): boolean {
  const textOf = (field: string): unknown => {
    const own: Record<string, unknown> = {
      event_type: alert.eventType,
      severity: alert.severity,
      source: alert.source,
      message: alert.message,
      entity_type: alert.entityType,
      entity_id: alert.entityId,
      "context.n": (alert.context as { n?: unknown }).n,
      "context.n.m": ((alert.context as { n?: { m?: unknown } }).n as { m?: unknown } | undefined)?.m,
    };
    return own[field];
  };
  const holds = ({ field, op, value }: Condition): boolean => {
    const found = textOf(field);
    const isSame = found === value;
    const order = (one: unknown) => (field === "severity" ? severities.indexOf(one as never) : one);
    switch (op) {
      case "exists":
        return (found !== undefined) === value;
      case "eq":
        return isSame;
      case "ne":
        return found === undefined || (typeof found === typeof value && !isSame);
      case "in":
        return (value as readonly unknown[]).includes(found);
      case "prefix":
        return typeof found === "string" && found.startsWith(String(value));
      case "contains":
        return typeof found === "string" && found.includes(String(value));
      case "glob": {
        const source = String(value)
          .split("*")
          .map((piece) => piece.replace(/\W/g, "\\$&"))
          .join(".*");
        return typeof found === "string" && new RegExp(`^${source}$`).test(found);
      }
      default: {
        const [a, b] = [order(found), order(value)];
        if (typeof a !== "number" || typeof b !== "number" || found === undefined) return false;
        return op === "gte" ? a >= b : a <= b;
      }
    }
  };
  return match.every(holds) && (any.length === 0 || any.some(holds));
}
