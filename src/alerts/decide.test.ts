import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alerts, isMet, matchers } from "../../test/harness/alert-rules.ts";
import { createDecide, type DecidingRule, explain, MAX_RULES_TAKING } from "./decide.ts";
import { findShadowed, shadowOf } from "./find-shadowed.ts";

const rules: fc.Arbitrary<DecidingRule[]> = fc
  .array(
    fc.record({
      order: fc.integer({ min: -1, max: 2 }),
      enabled: fc.constantFrom(true, true, true, false),
      stop: fc.boolean(),
      onlyUnmatched: fc.constantFrom(true, false, false),
      effect: fc.constantFrom("notify", "notify", "drop"),
      matchers,
    }),
    { maxLength: 10 },
  )
  .map((all) => all.map((rule, number) => ({ ...rule, id: `rule_${number}` })));

/** Reference implementation: evaluates the rules in order. */
function plainly(all: readonly DecidingRule[], alert: Parameters<typeof isMet>[1]) {
  const taken: string[] = [];
  for (const order of [-1, 0, 1, 2]) {
    for (const rule of all) {
      if (rule.order !== order || !rule.enabled || !isMet(rule.matchers, alert)) continue;
      if (rule.onlyUnmatched && taken.length > 0) continue;
      if (rule.effect === "drop") return { taken, dropped: rule.id };
      taken.push(rule.id);
      if (rule.stop) return { taken, dropped: undefined };
    }
  }
  return { taken, dropped: undefined };
}

describe("rules", () => {
  it("are evaluated in order until one stops or drops the alert, and give the reason", () => {
    fc.assert(
      fc.property(rules, fc.array(alerts, { maxLength: 4 }), (all, some) => {
        const decide = createDecide(all);
        for (const alert of some) {
          const { taken, dropped } = plainly(all, alert);
          const decision = decide(alert);
          expect(decision.rules.map(({ id }) => id)).toEqual(taken);
          expect(decision.droppedBy?.id).toBe(dropped);
          const explained = explain(all, alert);
          const idsOf = (reason: string) =>
            explained.filter((one) => one.reason === reason).map(({ rule }) => rule.id);
          expect([idsOf("notifies"), idsOf("drops")]).toEqual([
            taken,
            dropped === undefined ? [] : [dropped],
          ]);
          expect(idsOf("disabled").sort()).toEqual(
            all.flatMap(({ id, enabled }) => (enabled ? [] : id)).sort(),
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("take one alert up to a limit, and rules after that are not evaluated", () => {
    const all = Array.from({ length: MAX_RULES_TAKING + 5 }, (_, order) => ({
      id: `rule_${order}`,
      order,
      enabled: true,
      stop: false,
      effect: "notify" as const,
      matchers: { match: [], any: [] },
    }));
    const alert = { eventType: "e", severity: "info" as const, source: "s", message: "", context: {} };
    const { rules: taken } = createDecide(all)(alert);
    expect(taken).toEqual(all.slice(0, MAX_RULES_TAKING));
    const behind = explain(all, alert).slice(MAX_RULES_TAKING);
    expect(behind.map(({ reason }) => reason)).toEqual(behind.map(() => "not_asked"));
  });

  it("report the result of each condition", () => {
    const rule = {
      id: "a",
      order: 0,
      enabled: true,
      stop: false,
      effect: "notify" as const,
      matchers: {
        match: [{ field: "context.load", op: "gte" as const, value: 5 }],
        any: [{ field: "source", op: "eq" as const, value: "db" }],
      },
    };
    const alert = {
      eventType: "e",
      severity: "info" as const,
      source: "db",
      message: "",
      context: { load: "6" },
    };
    const [explained] = explain([rule], alert);
    expect(explained?.reason).toBe("not_met");
    expect(explained?.conditions.map(({ verdict }) => verdict)).toEqual(["mismatch", "holds"]);
  });
});

describe("a shadowed rule", () => {
  it("takes no alert", () => {
    let shadows = 0;
    fc.assert(
      fc.property(rules, fc.array(alerts, { minLength: 5, maxLength: 20 }), (all, some) => {
        const decide = createDecide(all);
        for (const { rule, by } of findShadowed(all)) {
          shadows++;
          expect(shadowOf(all, rule.id)).toBeDefined();
          for (const alert of some) {
            if (isMet(rule.matchers, alert))
              expect([by.id, isMet(by.matchers, alert)]).toEqual([by.id, true]);
            const { rules: taken, droppedBy } = decide(alert);
            expect([...taken, droppedBy].includes(rule)).toBe(false);
          }
        }
      }),
      { numRuns: 3_000 },
    );
    expect(shadows).toBeGreaterThan(100);
  });

  const rule = (id: string, field: string, op: string, value: unknown, changes: object = {}) =>
    ({
      id,
      order: 0,
      enabled: true,
      stop: true,
      effect: "notify",
      matchers: { match: [{ field, op, value }], any: [] },
      ...changes,
    }) as DecidingRule;

  it.each([
    [rule("a", "severity", "gte", "warning"), rule("b", "severity", "eq", "critical"), true],
    [rule("a", "severity", "eq", "critical"), rule("b", "severity", "gte", "warning"), false],
    [rule("a", "event_type", "prefix", "cpu"), rule("b", "event_type", "eq", "cpu.high"), true],
    [rule("a", "event_type", "prefix", "cpu"), rule("b", "event_type", "prefix", "cpu."), true],
    [rule("a", "event_type", "glob", "cpu*"), rule("b", "event_type", "prefix", "cpu."), true],
    [rule("a", "event_type", "glob", "c*u"), rule("b", "event_type", "prefix", "cpu"), false],
    [rule("a", "source", "in", ["a", "b"]), rule("b", "source", "in", ["b"]), true],
    [rule("a", "source", "in", ["b"]), rule("b", "source", "in", ["a", "b"]), false],
    [rule("a", "context.n", "exists", true), rule("b", "context.n", "gte", 5), true],
    [rule("a", "context.n", "exists", true), rule("b", "context.n", "ne", 5), false],
    [rule("a", "context.a.b", "gte", 5), rule("b", "context.a.b", "in", [5, 6]), true],
    [rule("a", "source", "eq", "a", { stop: false }), rule("b", "source", "eq", "a"), false],
    [rule("a", "source", "eq", "a", { stop: false, effect: "drop" }), rule("b", "source", "eq", "a"), true],
    [rule("a", "source", "eq", "a", { enabled: false }), rule("b", "source", "eq", "a"), false],
    [rule("a", "source", "eq", "a", { order: 1 }), rule("b", "source", "eq", "a"), false],
    [rule("a", "source", "eq", "a", { onlyUnmatched: true }), rule("b", "source", "eq", "a"), false],
    [
      rule("a", "source", "eq", "a", { stop: false }),
      rule("b", "source", "eq", "a", { onlyUnmatched: true }),
      true,
    ],
  ])("is pointed out where that can be known: %#", (first, second, isShadowed) => {
    const found = findShadowed([first, second]).filter(({ rule: one }) => one.id === "b");
    expect(found.length).toBe(isShadowed ? 1 : 0);
    expect(shadowOf([first, second], "b")).toBe(isShadowed ? first : undefined);
  });
});
