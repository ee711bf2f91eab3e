import { describe, expect, it } from "vitest";
import { expiryOf, nextAttemptAt, planAttempts } from "./retry-schedule.ts";

const HOUR_MS = 3_600_000;
const now = new Date("2030-01-01T00:00:00Z");
const in48Hours = new Date(now.getTime() + 48 * HOUR_MS);
const waitMinutes = (attempts: number, chance: number, expiresAt = new Date(8.64e15)) => {
  const at = nextAttemptAt(attempts, now, expiresAt, undefined, () => chance);
  return at && (at.getTime() - now.getTime()) / 60_000;
};

describe("the retry schedule", () => {
  it("waits 1, 5 and 15 minutes, 1, 2, 4, 8 and 16 hours, then 12 hours each time", () => {
    const waits = Array.from({ length: 11 }, (_, i) => waitMinutes(i + 1, 0));
    expect(waits).toEqual([1, 5, 15, 60, 120, 240, 480, 960, 720, 720, 720]);
  });

  it("adds up to a tenth of the wait at random", () => {
    expect(waitMinutes(4, 0.5)).toBe(63);
    expect(waitMinutes(4, 1)).toBe(66);
  });

  it("uses custom waits and repeats the last one", () => {
    const at = (attempts: number) => nextAttemptAt(attempts, now, in48Hours, [2_000, 30_000], () => 0);
    const waits = [1, 2, 3, 50].map((attempts) => (at(attempts)?.getTime() ?? 0) - now.getTime());
    expect(waits).toEqual([2_000, 30_000, 30_000, 30_000]);
  });

  it("shortens a wait beyond the maximum age, so that the last attempt is made at the end", () => {
    const after43Hours = new Date(now.getTime() + 43 * HOUR_MS);
    expect(nextAttemptAt(9, after43Hours, in48Hours)).toEqual(in48Hours);
    const attempts: number[] = [0];
    for (let at: Date | undefined = now; at; attempts.push(at.getTime() - now.getTime())) {
      at = nextAttemptAt(attempts.length, at, in48Hours, undefined, () => 0.5);
      if (!at) break;
    }
    expect(attempts.at(-1)).toBe(48 * HOUR_MS);
  });

  it("ends when the maximum age is reached, or almost reached", () => {
    const aMomentBefore = new Date(in48Hours.getTime() - 30_000);
    expect(nextAttemptAt(9, aMomentBefore, in48Hours)).toBeUndefined();
    expect(nextAttemptAt(9, aMomentBefore, in48Hours, [1_000])).toBeDefined();
    expect(nextAttemptAt(1, in48Hours, in48Hours, undefined, () => 0)).toBeUndefined();
  });
});

describe("the plan of attempts", () => {
  const minutes = (waits: number[], maxAge: number, most = 50) => {
    const settings = { retryWaitsMs: waits.map((wait) => wait * 60_000), maxAgeMs: maxAge * 60_000 };
    const plan = planAttempts(settings, { now, bounds: { maxAgeMs: HOUR_MS }, most });
    return {
      ...plan,
      attemptsAt: plan.attemptsAt.map((at) => (at.getTime() - now.getTime()) / 60_000),
      expiresAt: (plan.expiresAt.getTime() - now.getTime()) / 60_000,
    };
  };

  it("begins now, repeats the last wait and ends when the message expires", () => {
    expect(minutes([1, 10], 35)).toEqual({
      attemptsAt: [0, 1, 11, 21, 31, 35],
      hasMore: false,
      expiresAt: 35,
    });
  });

  it("returns the requested number of attempts and whether there are more", () => {
    expect(minutes([1], 60, 3)).toEqual({ attemptsAt: [0, 1, 2], hasMore: true, expiresAt: 60 });
    expect(minutes([1], 2, 3).hasMore).toBe(false);
  });

  it("is limited by the retention of bodies, even if a policy allows more", () => {
    const bounds = { maxAgeMs: 5 * HOUR_MS, longestAgeMs: 2 * HOUR_MS };
    const ageHours = (maxAgeMs?: number) => {
      const age = expiryOf(now, maxAgeMs === undefined ? {} : { maxAgeMs }, bounds).getTime() - now.getTime();
      return age / HOUR_MS;
    };
    expect([ageHours(), ageHours(HOUR_MS), ageHours(9 * HOUR_MS)]).toEqual([2, 1, 2]);
  });
});
