import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Alert } from "./alert.ts";
import { type Condition, compileCondition, globTest } from "./condition.ts";

const alert: Alert = {
  eventType: "cpu.high",
  severity: "warning",
  source: "db-1",
  message: "load is 17.5 on db-1",
  entityType: "host",
  context: { load: 17.5, tags: ["a"], host: { name: "db-1", up: true, none: null }, "": "x", text: "5" },
};
const verdict = (field: string, op: Condition["op"], value: Condition["value"]) =>
  compileCondition({ field, op, value })(alert);

describe("a condition", () => {
  it.each([
    ["event_type", "eq", "cpu.high", "holds"],
    ["event_type", "eq", "CPU.high", "fails"],
    ["event_type", "ne", "cpu.low", "holds"],
    ["event_type", "in", ["a", "cpu.high"], "holds"],
    ["event_type", "in", [], "mismatch"],
    ["event_type", "prefix", "cpu.", "holds"],
    ["event_type", "prefix", "", "holds"],
    ["event_type", "glob", "*.high", "holds"],
    ["event_type", "glob", "cpu.high*", "holds"],
    ["event_type", "glob", "cpu", "fails"],
    ["message", "contains", "17.5", "holds"],
    ["message", "contains", "Load", "fails"],
    ["entity_id", "eq", "x", "missing"],
    ["entity_id", "ne", "x", "holds"],
    ["entity_id", "exists", false, "holds"],
    ["entity_type", "exists", true, "holds"],
    ["entity_type", "exists", false, "fails"],
    ["severity", "gte", "info", "holds"],
    ["severity", "gte", "warning", "holds"],
    ["severity", "gte", "critical", "fails"],
    ["severity", "lte", "critical", "holds"],
    ["severity", "in", ["critical", "warning"], "holds"],
    ["context.load", "gte", 17.5, "holds"],
    ["context.load", "lte", 17, "fails"],
    ["context.load", "eq", "17.5", "mismatch"],
    ["context.text", "eq", 5, "mismatch"],
    ["context.text", "gte", 5, "mismatch"],
    ["context.host.name", "eq", "db-1", "holds"],
    ["context.host.up", "eq", true, "holds"],
    ["context.host.up", "ne", "yes", "mismatch"],
    ["context.host", "eq", "db-1", "mismatch"],
    ["context.host", "exists", true, "holds"],
    ["context.host.none", "exists", true, "fails"],
    ["context.tags", "contains", "a", "mismatch"],
    ["context.constructor", "exists", true, "fails"],
    ["context.__proto__.x", "exists", true, "fails"],
    ["context.text.length", "exists", true, "fails"],
  ] as const)("%s %s %j: %s", (field, op, value, expected) => {
    expect(verdict(field, op, value as Condition["value"])).toBe(expected);
  });

  it("compares severities by rank, for all pairs", () => {
    const weights = { info: 0, warning: 1, critical: 2 } as const;
    for (const [given, a] of Object.entries(weights)) {
      for (const [value, b] of Object.entries(weights)) {
        const of = { ...alert, severity: given as Alert["severity"] };
        const test = (op: "gte" | "lte") =>
          compileCondition({ field: "severity", op, value })(of) === "holds";
        expect([given, value, test("gte"), test("lte")]).toEqual([given, value, a >= b, a <= b]);
      }
    }
  });
});

describe("a pattern with asterisks", () => {
  const asExpression = (pattern: string) =>
    new RegExp(
      `^${pattern
        .split("*")
        .map((piece) => piece.replace(/[^a-z]/g, "\\$&"))
        .join("[^]*")}$`,
    );

  it("has the same meaning as an equivalent regular expression", () => {
    const letters = fc
      .array(fc.constantFrom("a", "b", "*", ".", "\n"), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        expect(globTest(pattern)(text)).toBe(asExpression(pattern).test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays fast for texts with many partial matches", () => {
    const matches = globTest(`${"*a".repeat(500)}*b`);
    expect(matches("a".repeat(200_000))).toBe(false);
  });
});
