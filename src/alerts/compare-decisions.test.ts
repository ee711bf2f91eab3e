import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Alert, severities } from "./alert.ts";
import { createDecisionComparison, type NamedRule } from "./compare-decisions.ts";
import { explain } from "./decide.ts";

const names = ["a", "b", "c", "d"];
const condition = fc.oneof(
  fc.record({
    field: fc.constant("event_type"),
    op: fc.constant("eq" as const),
    value: fc.constantFrom("disk", "net"),
  }),
  fc.record({
    field: fc.constant("severity"),
    op: fc.constant("gte" as const),
    value: fc.constantFrom(...severities),
  }),
);
const rule = (name: string): fc.Arbitrary<NamedRule> =>
  fc.record({
    id: fc.constant(`rul_${name}`),
    name: fc.constant(name),
    order: fc.integer({ min: 0, max: 2 }),
    enabled: fc.constantFrom(true, true, true, false),
    matchers: fc.record({ match: fc.array(condition, { maxLength: 2 }), any: fc.constant([]) }),
    stop: fc.boolean(),
    onlyUnmatched: fc.boolean(),
    effect: fc.constantFrom("notify", "notify", "drop"),
  });
const rules = fc
  .tuple(fc.subarray(names), ...names.map(rule))
  .map(([present, ...all]) => all.filter(({ name }) => present.includes(name)));
const past = fc.record({
  eventType: fc.constantFrom("disk", "net"),
  severity: fc.constantFrom(...severities),
  before: fc.subarray([...names, "removed"]),
});

const alertOf = ({ eventType, severity }: Pick<Alert, "eventType" | "severity">): Alert => ({
  eventType,
  severity,
  source: "s",
  message: "m",
  context: {},
});

/** The plain model, by the explanation of each rule. */
function modelOf(given: readonly NamedRule[], alert: Alert, before: readonly string[]) {
  const explained = explain(given, alert);
  const taking = explained.filter(({ reason }) => reason === "notifies").map((one) => one.rule.name);
  const dropping = explained.filter(({ reason }) => reason === "drops").map((one) => one.rule.name);
  const after = [...taking, ...dropping];
  const change =
    before.length === after.length && before.every((name) => after.includes(name))
      ? "unchanged"
      : before.length === 0
        ? "newly_matched"
        : after.length === 0
          ? "no_longer_matched"
          : "moved";
  const takenFrom = (name: string) => {
    const own = explained.find((one) => one.rule.name === name);
    if (own?.reason !== "not_asked") return undefined;
    return (own.rule.onlyUnmatched ? taking[0] : undefined) ?? dropping[0] ?? taking.at(-1);
  };
  return { after, change, takenFrom };
}

describe("the comparison of decisions", () => {
  it("has the rules, changes and numbers of the plain model, for random rules and alerts", () => {
    fc.assert(
      fc.property(
        rules,
        fc.array(past, { maxLength: 12 }),
        fc.constantFrom("", ...names),
        (given, alerts, subject) => {
          const comparison = createDecisionComparison(given, subject);
          const counts = new Map<string, number>();
          const count = (name: string, what: string) =>
            counts.set(`${name} ${what}`, (counts.get(`${name} ${what}`) ?? 0) + 1);
          for (const { before, ...words } of alerts) {
            const alert = alertOf(words);
            const { after, change, takenFrom } = modelOf(given, alert, before);
            const compared = comparison.compare(alert, before);
            expect([compared.change, compared.matched]).toEqual([change, after]);
            for (const name of before) count(name, "before");
            for (const name of after) count(name, "after");
            for (const name of after.filter((one) => !before.includes(one))) count(name, "new");
            for (const name of before.filter((one) => !after.includes(one))) count(name, "lost");
            for (const name of new Set([...before, subject])) {
              const by = takenFrom(name);
              if (by !== undefined) count(name, `by ${by}`);
            }
          }
          const found = new Map<string, number>();
          for (const { rule: name, takenBy, ...tally } of comparison.tallies()) {
            found.set(`${name} before`, tally.before);
            found.set(`${name} after`, tally.after);
            found.set(`${name} new`, tally.newlyMatched);
            found.set(`${name} lost`, tally.noLongerMatched);
            for (const [by, alerts] of takenBy) found.set(`${name} by ${by}`, alerts);
          }
          expect([...found].filter(([, number]) => number > 0).sort()).toEqual([...counts].sort());
        },
      ),
      { numRuns: 500 },
    );
  });
});
