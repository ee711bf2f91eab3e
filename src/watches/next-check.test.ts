import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standingChecks } from "../../test/harness/standing.ts";
import { CONFIRMATION_MS, type StandingCheck } from "../intel/standing-check.ts";
import { failuresAfter, nextCheck } from "./next-check.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now = new Date("2030-01-01T00:00:00Z");
const waitMs = (id: string, checks: readonly StandingCheck[], failures: number) =>
  nextCheck(id, checks, failures, now).getTime() - now.getTime();

const healthy = standingChecks({ at: now });
const silent = standingChecks({ at: now, failing: ["auth.spf.exists"] });
const doubtful = healthy.map((check, n) =>
  n === 0 ? { ...check, contrary: { status: "fail" as const, at: now } } : check,
);

describe("the next check of a domain", () => {
  it("follows after about six hours, with an offset that is fixed by the id", () => {
    const waits = Array.from({ length: 500 }, (_, n) => waitMs(`dom_${n}`, healthy, 0));
    for (const wait of waits) expect(Math.abs(wait - 6 * HOUR_MS)).toBeLessThanOrEqual(0.6 * HOUR_MS + 1);
    expect(new Set(waits).size).toBeGreaterThan(490);
    expect(waitMs("dom_1", healthy, 0)).toBe(waitMs("dom_1", healthy, 0));
  });

  it("follows after 5 minutes, 15 minutes and an hour if a check is incomplete, then after the regular period", () => {
    const waits = [1, 2, 3].map((failures) => waitMs("dom_1", silent, failures));
    expect(waits).toEqual([5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]);
    expect(waitMs("dom_1", silent, 4)).toBe(waitMs("dom_1", healthy, 0));
    expect(waitMs("dom_1", silent, 1_000)).toBe(waitMs("dom_1", healthy, 0));
  });

  it("follows early for a confirmation check, regardless of the number of incomplete checks", () => {
    for (const failures of [0, 2, 3, 9]) expect(waitMs("dom_1", doubtful, failures)).toBe(CONFIRMATION_MS);
  });

  it("follows at the latest after the period and never before a confirmation check", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(20),
        fc.constantFrom(healthy, silent, doubtful),
        (id, failures, checks) => {
          const wait = waitMs(id, checks, failures);
          expect(wait).toBeGreaterThanOrEqual(CONFIRMATION_MS);
          expect(wait).toBeLessThanOrEqual(6.6 * HOUR_MS);
        },
      ),
    );
  });
});

describe("incomplete checks", () => {
  it("are counted until a check is complete", () => {
    expect([failuresAfter(0, silent), failuresAfter(7, silent)]).toEqual([1, 8]);
    expect(failuresAfter(7, healthy)).toBe(0);
  });
});
