import fc from "fast-check";
import { expect, it } from "vitest";
import { alerts, isMet, matchers } from "../../test/harness/alert-rules.ts";
import type { Alert } from "./alert.ts";
import { createRuleIndex } from "./rule-index.ts";

const rules = fc.array(matchers, { maxLength: 12 });

it("an index finds the same rules in the same order as a linear search", () => {
  fc.assert(
    fc.property(rules, fc.array(alerts, { maxLength: 6 }), (all, some) => {
      const indexed = all.map((one, position) => ({ position, matchers: one }));
      const index = createRuleIndex(indexed);
      for (const alert of some) {
        const expected = indexed.filter((one) => isMet(one.matchers, alert));
        expect(index.matching(alert).map(({ position }) => position)).toEqual(
          expected.map(({ position }) => position),
        );
      }
    }),
    { numRuns: 3_000 },
  );
});

it("a rule that lists the same value twice is found once", () => {
  const match = [{ field: "event_type", op: "in" as const, value: ["cpu", "cpu", "disk"] }];
  const index = createRuleIndex([{ matchers: { match, any: [] } }]);
  const alert: Alert = { eventType: "cpu", severity: "info", source: "", message: "", context: {} };
  expect(index.matching(alert)).toHaveLength(1);
});
