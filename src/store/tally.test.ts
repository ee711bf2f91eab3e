import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { domainStatuses } from "../intel/domain-status.ts";
import type { DomainTally } from "./intel-documents.ts";
import { type Counted, emptyTally, meanCoverage, meanScore, tallyUpdate } from "./tally.ts";

const counted: fc.Arbitrary<Counted> = fc.record({
  status: fc.constantFrom(...domainStatuses),
  score: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
  coverage: fc.option(
    fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 10_000),
    { nil: null },
  ),
  listings: fc.nat(30),
});

/** As the database executes it. Zeros are left out, because a field that was never counted is missing. */
function apply(tally: DomainTally, before: Counted | undefined, after: Counted | undefined): DomainTally {
  const { $inc = {} } = tallyUpdate(before, after) ?? {};
  const byStatus: Record<string, number> = { ...tally.byStatus };
  const sums: Record<string, number> = {};
  for (const [path, change] of Object.entries($inc as Record<string, number>)) {
    const [, name = "", status] = path.split(".");
    if (status) byStatus[status] = (byStatus[status] ?? 0) + change;
    else sums[name] = (tally[name as "domains"] ?? 0) + change;
  }
  return { ...tally, ...sums, byStatus };
}

const withoutZeros = ({ byStatus, ...sums }: DomainTally) => ({
  ...sums,
  byStatus: Object.fromEntries(Object.entries(byStatus).filter(([, count]) => count !== 0)),
});

function count(domains: readonly Counted[]): DomainTally {
  const of = <T>(values: readonly (T | null)[]) => values.filter((value): value is T => value !== null);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const scores = of(domains.map(({ score }) => score));
  const coverages = of(domains.map(({ coverage }) => coverage));
  return {
    domains: domains.length,
    byStatus: Object.fromEntries(
      domainStatuses.map((status) => [status, domains.filter((one) => one.status === status).length]),
    ),
    listings: sum(domains.map(({ listings }) => listings)),
    scored: scores.length,
    scoreSum: sum(scores),
    covered: coverages.length,
    coverageSum: sum(coverages.map((one) => Math.round(one * 10_000))),
  };
}

describe("the tally of a workspace", () => {
  it("equals the count of its domains, for any order of additions, changes and removals", () => {
    const step = fc.record({ domain: fc.nat(5), to: fc.option(counted, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const domains = new Map<number, Counted>();
        let tally = emptyTally;
        for (const { domain, to } of steps) {
          tally = apply(tally, domains.get(domain), to);
          if (to) domains.set(domain, to);
          else domains.delete(domain);
          expect(withoutZeros(tally)).toEqual(withoutZeros(count([...domains.values()])));
        }
      }),
    );
  });

  it("is not written if nothing changes", () => {
    fc.assert(
      fc.property(counted, (one) => {
        expect(tallyUpdate(one, { ...one })).toBeUndefined();
      }),
    );
  });

  it("has no mean without scores, and otherwise the mean of the domains with a score", () => {
    expect([meanScore(emptyTally), meanCoverage(emptyTally)]).toEqual([undefined, undefined]);
    const ofTwo = [87, 76, null].reduce(
      (tally, score) =>
        apply(tally, undefined, {
          status: "healthy",
          listings: 0,
          score,
          coverage: score === null ? null : 0.94,
        }),
      emptyTally,
    );
    expect([meanScore(ofTwo), meanCoverage(ofTwo)]).toEqual([81.5, 0.94]);
  });
});
