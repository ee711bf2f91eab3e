import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkIds,
  type DomainCase,
  domainResults,
  type Statuses,
} from "../../test/harness/domain-results.ts";
import type { CheckId } from "./catalogue.ts";
import { fixOrder } from "./fix-order.ts";
import { outcomesOf } from "./score/outcomes.ts";
import { cappedTotal } from "./score/score.ts";

const options = { numRuns: Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200) };

function outcomesFor(domain: DomainCase) {
  return outcomesOf(domainResults(domain));
}
const idsOf = (but: Statuses) => fixOrder(outcomesFor({ but })).map(({ id }) => id);

describe("the order of fixes", () => {
  it("begins with the largest gain and has at most three entries", () => {
    const but = {
      "auth.spf.ptr": "warn",
      "auth.dmarc.policy": "warn",
      "reputation.fcrdns": "fail",
      "transport.tlsrpt": "fail",
    } as const;
    expect(idsOf(but)).toEqual(["reputation.fcrdns", "auth.dmarc.policy", "transport.tlsrpt"]);
    expect(fixOrder(outcomesFor({}))).toEqual([]);
  });

  it("includes dependent checks in the gain, and names them", () => {
    const [first, ...rest] = fixOrder(outcomesFor({ but: { "auth.dmarc.exists": "fail" } }));
    expect(rest).toEqual([]);
    // Without the cap of 69 the score is 100.
    expect(first).toMatchObject({ id: "auth.dmarc.exists", severity: "critical", gain: 31 });
    expect(first?.opens).toEqual([
      "auth.dmarc.valid",
      "auth.dmarc.policy",
      "auth.dmarc.subdomains",
      "auth.dmarc.rua",
      "auth.dmarc.rua_authorised",
      "auth.dmarc.removed_tags",
    ]);
  });

  it("puts the causes of a cap first, even if two cause it and neither gains by itself", () => {
    const but = {
      "auth.dmarc.policy": "warn",
      "reputation.ehlo": "fail",
      "transport.dane": "fail",
      "transport.mta_sts.mx": "fail",
    } as const;
    const fixes = fixOrder(outcomesFor({ but }));
    expect(fixes.map(({ id }) => id)).toEqual(["transport.dane", "transport.mta_sts.mx", "reputation.ehlo"]);
    expect(fixes.map(({ gain }) => gain)).toEqual([0, 0, 0]);
  });

  it("predicts the score after the repair of each finding of any domain", () => {
    const status = fc.constantFrom("pass", "pass", "pass", "warn", "fail", "not_tested");
    fc.assert(
      fc.property(fc.tuple(...checkIds.map(() => status)), (statuses) => {
        const but = Object.fromEntries(checkIds.map((id, index) => [id, statuses[index]])) as Statuses;
        const before = cappedTotal(outcomesFor({ but })) ?? 0;
        const fixes = fixOrder(outcomesFor({ but }), checkIds.length);
        for (const { id, opens, gain } of fixes) {
          const repaired = [id, ...opens].map((one): [CheckId, "pass"] => [one, "pass"]);
          const after = cappedTotal(outcomesFor({ but: { ...but, ...Object.fromEntries(repaired) } })) ?? 0;
          // The gain is rounded to a tenth.
          expect(Math.abs(gain - (after - before))).toBeLessThan(0.051);
          expect(gain).toBeGreaterThanOrEqual(0);
        }
        expect(fixes.map(({ gain }) => gain)).toEqual(
          fixes.map(({ gain }) => gain).toSorted((one, other) => other - one),
        );
      }),
      options,
    );
  });
});
