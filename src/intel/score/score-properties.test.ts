import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkIds,
  domainResults,
  needOf,
  needsOf,
  type Statuses,
} from "../../../test/harness/domain-results.ts";
import { type CheckId, domainRoles } from "../catalogue.ts";
import { checkStatuses } from "../check-result.ts";
import { domainStatus } from "../domain-status.ts";
import { type DomainResults, type LastResult, outcomesOf } from "./outcomes.ts";
import { cappedTotal, type Score, scoreOf } from "./score.ts";

const options = { numRuns: Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200) };
const HOUR_MS = 3_600_000;
const blacklistWeights = { "bl.spamcop": 5, "bl.spamhaus_dbl": 10, "bl.uceprotect_1": 0 } as const;
const allIds: readonly CheckId[] = [...checkIds, ...(Object.keys(blacklistWeights) as CheckId[])];

const statusMostlyPass = (passes: number) =>
  fc.oneof(
    { weight: passes, arbitrary: fc.constant("pass" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...checkStatuses) },
  );
const lastResult: fc.Arbitrary<LastResult> = fc.record({
  status: fc.constantFrom("pass", "warn", "fail", "not_tested"),
  ageMs: fc.integer({ min: 0, max: 96 }).map((hours) => hours * HOUR_MS),
});

function forEachCheck<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Readonly<Partial<Record<CheckId, T>>>> {
  return fc.tuple(...allIds.map(() => value)).map((values) => {
    const entries = allIds.map((id, index) => [id, values[index]] as const);
    return Object.fromEntries(entries) as Partial<Record<CheckId, T>>;
  });
}

/** Good and bad domains. Half of the time, whole categories of checks are left out. */
const statusOfEach: fc.Arbitrary<Statuses> = fc
  .tuple(
    fc.oneof(forEachCheck(statusMostlyPass(2)), forEachCheck(statusMostlyPass(20))),
    fc.subarray(["auth.", "transport.", "infra.", "reputation.", "bl."]),
  )
  .map(([statuses, untested]) => {
    const isLeftOut = (id: string) => untested.length < 3 && untested.some((start) => id.startsWith(start));
    const entries = Object.entries(statuses).map(([id, one]) => [id, isLeftOut(id) ? "not_tested" : one]);
    return Object.fromEntries(entries) as Statuses;
  });

interface Case {
  readonly domain: DomainResults;
  readonly statuses: Statuses;
}

const domainCase: fc.Arbitrary<Case> = fc
  .record({ role: fc.constantFrom(...domainRoles), but: statusOfEach, lastResults: forEachCheck(lastResult) })
  .map((one) => ({ domain: domainResults({ ...one, blacklistWeights }), statuses: one.but }));

const scoreFor = (domain: DomainResults): Score => scoreOf(outcomesOf(domain));
/** The unrounded score. Rounding would hide half a point. */
const exactScore = (domain: DomainResults): number => cappedTotal(outcomesOf(domain)) ?? 0;
const shownScore = (domain: DomainResults): number => scoreFor(domain).score ?? 0;
/** Rounding errors of sums of fractions. */
const LAST_BITS = 1e-9;

function withStatuses({ domain, statuses }: Case, changes: Statuses): DomainResults {
  return domainResults({ ...domain, but: { ...statuses, ...changes } });
}

function pick<T>(all: readonly T[], at: number): T | undefined {
  return all[at % Math.max(1, all.length)];
}

const needed = [...new Set(allIds.flatMap((id) => needOf(id) ?? []))];

describe("the score of arbitrary results", () => {
  it("never falls when a finding is repaired, whatever the repair reveals", () => {
    fc.assert(
      fc.property(domainCase, fc.nat(), fc.boolean(), statusOfEach, (one, at, isWhole, below) => {
        const outcomes = outcomesOf(one.domain);
        const finding = pick(
          outcomes.filter(({ kind }) => kind === "fail" || kind === "warn"),
          at,
        );
        fc.pre(finding !== undefined);
        const better = finding.kind === "fail" && !isWhole ? "warn" : "pass";
        const opens = outcomes.filter(
          ({ id, kind }) => kind === "blocked" && needsOf(id).includes(finding.id),
        );
        const light = Object.fromEntries(opens.map(({ id }) => [id, below[id]])) as Statuses;
        // Publication of a policy that loses mail is no repair.
        const isLoss = light["transport.mta_sts.mx"] !== undefined;
        const loss: Statuses = isLoss ? { "transport.mta_sts.mx": "pass" } : {};
        const repair = { [finding.id]: better } as Statuses;
        const after = withStatuses(one, { ...light, ...loss, ...repair });
        expect(exactScore(after)).toBeGreaterThanOrEqual(exactScore(one.domain) - LAST_BITS);
        expect(shownScore(after)).toBeGreaterThanOrEqual(shownScore(one.domain));
      }),
      options,
    );
  });

  it("never rises when a record is deleted", () => {
    fc.assert(
      fc.property(domainCase, fc.nat(), (one, at) => {
        const outcomes = outcomesOf(one.domain);
        const losesMail = outcomes.some(
          ({ id, kind }) => id === "transport.mta_sts.mx" && (kind === "fail" || kind === "warn"),
        );
        const records = outcomes.filter(
          ({ id, kind }) =>
            needed.includes(id) &&
            /^(?:pass|warn|fail)$/.test(kind) &&
            // Without a policy that loses mail, mail arrives again.
            !(losesMail && id.startsWith("transport.mta_sts.")),
        );
        const record = pick(records, at);
        fc.pre(record !== undefined);
        const after = withStatuses(one, { [record.id]: "fail" } as Statuses);
        expect(exactScore(after)).toBeLessThanOrEqual(exactScore(one.domain) + LAST_BITS);
        expect(shownScore(after)).toBeLessThanOrEqual(shownScore(one.domain));
      }),
      options,
    );
  });

  it("never rises when checks fail, nor falls when they are repaired, alone and in pairs, from a healthy domain", () => {
    const scoreWith = (but: Statuses) => exactScore(domainResults({ but, blacklistWeights }));
    const breaks = allIds.flatMap((id) => [[id, "warn"] as const, [id, "fail"] as const]);
    for (const one of breaks) {
      const first = scoreWith(Object.fromEntries([one]));
      expect([one, first <= 100 + LAST_BITS]).toEqual([one, true]);
      for (const other of breaks) {
        if (one[0] === other[0]) continue;
        // Without a policy that loses mail, or soon will, mail arrives again.
        if (one[0] === "transport.mta_sts.mx" && other[0].startsWith("transport.mta_sts.")) continue;
        const both = scoreWith(Object.fromEntries([one, other]));
        expect([one, other, both <= first + LAST_BITS]).toEqual([one, other, true]);
      }
    }
  });

  it("is at most D with a critical finding, and at most B with a warning", () => {
    fc.assert(
      fc.property(domainCase, ({ domain }) => {
        const outcomes = outcomesOf(domain);
        const status = domainStatus({ isPaused: false, outcomes });
        const { score, grade } = scoreOf(outcomes);
        if (status === "critical")
          expect([score, grade]).toEqual([worst(score, 69), oneOf(grade, "D", "F", null)]);
        if (status === "warning") expect([score, grade === "A"]).toEqual([worst(score, 89), false]);
        if (grade === "A") expect(status).toBe("healthy");
      }),
      options,
    );
  });

  it("never rises when the lookup budget is exhausted, and its coverage falls", () => {
    fc.assert(
      fc.property(
        domainCase,
        fc.subarray([...allIds], { minLength: 1 }),
        fc.nat({ max: 96 }),
        (one, some, hours) => {
          const ids = some.filter((id) => !id.startsWith("infra.mx."));
          const measured = outcomesOf(one.domain).filter(
            ({ id, kind, status: now }) => ids.includes(id) && kind !== "blocked" && now !== "error",
          );
          const hidden = measured.map(({ id }) => id);
          const last = one.domain.results.flatMap(({ id, status: before }) =>
            hidden.includes(id) && before !== "error"
              ? [[id, { status: before, ageMs: hours * HOUR_MS }]]
              : [],
          );
          const after: DomainResults = {
            ...one.domain,
            results: one.domain.results.map((result) =>
              hidden.includes(result.id) ? { ...result, status: "error" } : result,
            ),
            lastResults: { ...one.domain.lastResults, ...Object.fromEntries(last) },
            overBudget: hidden,
          };
          fc.pre(scoreFor(one.domain).score !== null);
          expect(exactScore(after)).toBeLessThanOrEqual(exactScore(one.domain) + LAST_BITS);
          expect(scoreFor(after).coverage).toBeLessThanOrEqual(scoreFor(one.domain).coverage);
        },
      ),
      options,
    );
  });

  it("does not change because of errors while there are last results", () => {
    fc.assert(
      fc.property(domainCase, fc.subarray([...allIds]), fc.nat({ max: 47 }), (one, ids, hours) => {
        const errors = one.domain.results.filter(
          ({ id, status: before }) => ids.includes(id) && before !== "error",
        );
        const last = errors.map(({ id, status: before }) => [id, { status: before, ageMs: hours * HOUR_MS }]);
        const after: DomainResults = {
          ...one.domain,
          results: one.domain.results.map((result) =>
            ids.includes(result.id) ? { ...result, status: "error" } : result,
          ),
          lastResults: { ...one.domain.lastResults, ...Object.fromEntries(last) },
        };
        expect(withoutStatuses(scoreFor(after))).toEqual(withoutStatuses(scoreFor(one.domain)));
      }),
      options,
    );
  });

  it("is between 0 and 100, with a coverage between 0 and 1, and has a grade only with enough coverage", () => {
    fc.assert(
      fc.property(domainCase, ({ domain }) => {
        const { score, coverage, grade } = scoreFor(domain);
        expect(coverage).toBeGreaterThanOrEqual(0);
        expect(coverage).toBeLessThanOrEqual(1);
        expect(score === null).toBe(coverage === 0);
        expect(score ?? 0).toBeGreaterThanOrEqual(0);
        expect(score ?? 0).toBeLessThanOrEqual(100);
        expect(grade === null).toBe(coverage < 0.7);
      }),
      options,
    );
  });

  it("does not depend on the order of results", () => {
    fc.assert(
      fc.property(
        domainCase.chain(({ domain }) =>
          fc.tuple(
            fc.constant(domain),
            fc.shuffledSubarray([...domain.results], { minLength: domain.results.length }),
          ),
        ),
        ([domain, results]) => {
          const weights = Object.fromEntries(Object.entries(blacklistWeights).toReversed());
          const after = scoreFor({ ...domain, results, blacklistWeights: weights });
          expect(after).toEqual(scoreFor(domain));
        },
      ),
      options,
    );
  });
});

function worst(score: number | null, limit: number): number | null {
  return score === null ? null : Math.min(score, limit);
}

function oneOf<T>(value: T, ...allowed: readonly T[]): T | undefined {
  return allowed.includes(value) ? value : undefined;
}

function withoutStatuses({ checks, ...score }: Score) {
  return { ...score, checks: checks.map(({ status: _, ...check }) => check) };
}
