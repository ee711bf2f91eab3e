import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import type { History, Submission } from "./history.ts";

const bounds = { recordingMs: 100, recoveryMs: 1_000, mostInFlight: 1 };

function submission(number: number, change: Partial<Submission> = {}): Submission {
  const tries = [{ outcome: "accepted", reason: "", startedMs: 0, endedMs: 1 } as const];
  return { number, source: "http", hasKey: true, tries, ...change };
}

const refused = (reason: string) => [{ outcome: "refused", reason, startedMs: 0, endedMs: 1 } as const];

function run(change: Partial<History>) {
  return check({ submissions: [], strikes: [], arrivals: [], readiness: [], ...change }, bounds);
}

describe("the checker of a nemesis run", () => {
  it("finds what was acknowledged and did not arrive", () => {
    expect(
      run({ submissions: [submission(1), submission(2)], arrivals: [{ number: 2, atMs: 5 }] }).lost,
    ).toEqual([1]);
  });

  it("finds a second arrival that no strike accounts for", () => {
    const arrivals = [
      { number: 1, atMs: 500 },
      { number: 1, atMs: 5_000 },
      { number: 2, atMs: 2_000 },
      { number: 2, atMs: 5_000 },
    ];
    const strikes = [{ name: "kill", mayDouble: true, startedMs: 2_050, endedMs: 3_000 }];
    expect(run({ arrivals, strikes }).doubledWithoutCause).toEqual([1]);
  });

  it("takes no strike as a cause that cannot make a worker send twice", () => {
    const arrivals = [1, 2].map((atMs) => ({ number: 1, atMs }));
    const strikes = [{ name: "slow", mayDouble: false, startedMs: 0, endedMs: 10 }];
    expect(run({ arrivals, strikes }).doubledWithoutCause).toEqual([1]);
  });

  it("finds what was refused as not stored and arrived, unless the answer leaves it open", () => {
    const submissions = [
      submission(1, { hasKey: false, tries: refused("core.unavailable") }),
      submission(2, { hasKey: false, tries: refused("core.timeout") }),
    ];
    const arrivals = [1, 2].map((number) => ({ number, atMs: 5 }));
    expect(run({ submissions, arrivals }).deliveredAfterNo).toEqual([1]);
  });

  it("finds what stayed refused with a key", () => {
    const submissions = [submission(1, { tries: refused("core.timeout") })];
    expect(run({ submissions }).neverSettled).toEqual([1]);
  });

  it("finds more second arrivals than can have been in flight", () => {
    const numbers = [1, 2];
    const arrivals = numbers.flatMap((number) => [100, 200].map((atMs) => ({ number, atMs })));
    const strikes = [{ name: "kill", mayDouble: true, startedMs: 100, endedMs: 150 }];
    const verdict = run({ arrivals, strikes });
    expect(verdict.doubledWithoutCause).toEqual([]);
    expect(verdict.doubledBeyondBound).toBe(1);
  });

  it("finds a process that is not ready in the end, and counts what was not in between", () => {
    const strikes = [{ name: "cut", mayDouble: false, startedMs: 0, endedMs: 500 }];
    const readiness = [
      { process: "edge 1", atMs: 1_400, isReady: false },
      { process: "edge 1", atMs: 1_600, isReady: false },
      { process: "edge 2", atMs: 1_600, isReady: false },
      { process: "edge 2", atMs: 1_700, isReady: true },
    ];
    const verdict = run({ strikes, readiness });
    expect(verdict.stillUnready).toEqual(["edge 1"]);
    expect(verdict.counts.unreadyLooks).toBe(2);
  });
});
