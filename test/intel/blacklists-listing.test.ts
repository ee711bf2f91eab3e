import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListCheck } from "../../src/intel/blacklists/ask-list.ts";
import {
  afterCheck,
  type BlacklistEvent,
  type Standing,
  shownState,
} from "../../src/intel/blacklists/listing.ts";
import { nextCheckAt } from "../../src/intel/blacklists/pace.ts";
import type { AnswerState } from "../../src/intel/blacklists/read-answer.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 500);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.parse("2026-11-24T12:00:00Z");
const key = { listId: "psbl", subject: "193.0.14.129" };

interface Step {
  readonly state: AnswerState;
  /** Time since the previous check. */
  readonly afterMs: number;
  readonly ttlMs?: number;
}

function lookOf({ state, ttlMs = 0 }: Step, atMs: number): ListCheck {
  const codes = state === "listed" ? [{ code: "127.0.0.2", meaning: "spam" }] : [];
  const isFailure = state !== "listed" && state !== "clean";
  const at = new Date(atMs);
  const reason = isFailure ? { reason: "no answer" } : {};
  return { state, codes, at, repeatsUntil: new Date(atMs + ttlMs), evidence: [], ...reason };
}

function play(steps: readonly Step[]) {
  let atMs = START_MS;
  let standing: Standing | undefined;
  const events: BlacklistEvent[] = [];
  const looks: ListCheck[] = [];
  for (const step of steps) {
    atMs += step.afterMs;
    const check = lookOf(step, atMs);
    const after = afterCheck(key, standing, check);
    standing = after.standing;
    looks.push(check);
    if (after.event) events.push(after.event);
  }
  return { standing, events, looks, now: new Date(atMs) };
}

const step = (state: AnswerState, afterMs: number, ttlMs = 0): Step => ({ state, afterMs, ttlMs });
const typesOf = (steps: readonly Step[]) => play(steps).events.map(({ type }) => type);

/** Expected events, computed from all results without a state. */
function modelEvents(looks: readonly ListCheck[]): { type: BlacklistEvent["type"]; at: Date }[] {
  const telling = looks.filter(({ state }) => state === "listed" || state === "clean");
  const events: { type: BlacklistEvent["type"]; at: Date }[] = [];
  let announced: AnswerState = "clean";
  telling.forEach((check, index) => {
    let first = index;
    while (first > 0 && telling[first - 1]?.state === check.state) first--;
    const begin = telling[first];
    if (!begin || check.state === announced) return;
    const repeatMs = Math.min(begin.repeatsUntil.getTime() - begin.at.getTime(), HOUR_MS);
    if (first === index || check.at.getTime() - begin.at.getTime() < Math.max(10 * MINUTE_MS, repeatMs))
      return;
    announced = check.state;
    events.push({ type: announced === "listed" ? "blacklist.listed" : "blacklist.delisted", at: check.at });
  });
  return events;
}

const anyState = fc.oneof(
  { weight: 5, arbitrary: fc.constant<AnswerState>("listed") },
  { weight: 5, arbitrary: fc.constant<AnswerState>("clean") },
  { weight: 3, arbitrary: fc.constantFrom<AnswerState>("refused", "error", "unreliable") },
);
const anyGap = fc.record({
  afterMs: fc.oneof(
    fc.integer({ min: 1, max: 15 * MINUTE_MS }),
    fc.constantFrom(5 * MINUTE_MS, 10 * MINUTE_MS),
    fc.integer({ min: HOUR_MS, max: 60 * HOUR_MS }),
  ),
  ttlMs: fc.constantFrom(0, MINUTE_MS, 30 * MINUTE_MS, 86_400_000),
});
/** Results come in runs, because independent results would cause almost no events. */
const anySteps = fc
  .array(fc.tuple(anyState, fc.array(anyGap, { minLength: 1, maxLength: 4 })), { maxLength: 15, size: "max" })
  .map((runs) => runs.flatMap(([state, gaps]) => gaps.map((gap): Step => ({ state, ...gap }))));

describe("any sequence of check results", () => {
  const property = (check: (steps: Step[]) => void) =>
    fc.assert(fc.property(anySteps, check), { numRuns: RUNS });

  it("publishes the events of a simple model", () => {
    let announced = 0;
    property((steps) => {
      const { events, looks } = play(steps);
      expect(events.map(({ type, at }) => ({ type, at }))).toEqual(modelEvents(looks));
      announced += events.length;
    });
    expect(announced).toBeGreaterThan(RUNS);
  });

  it("publishes no event twice in a row, and no delisting before a listing", () => {
    property((steps) => {
      const types = typesOf(steps);
      expect(types).toEqual(
        types.map((_, index) => (index % 2 === 0 ? "blacklist.listed" : "blacklist.delisted")),
      );
    });
  });

  it("publishes no event after one result, or after two within ten minutes", () => {
    property((steps) => {
      const { events, looks } = play(steps);
      for (const { type, at, listing } of events) {
        const state = type === "blacklist.listed" ? "listed" : "clean";
        const agreeing = looks.filter((check) => check.state === state && check.at <= at);
        const earlier = agreeing.filter((check) => at.getTime() - check.at.getTime() >= 10 * MINUTE_MS);
        expect(earlier.length).toBeGreaterThan(0);
        expect(listing.codes).toHaveLength(1);
        expect(listing.firstSeenAt <= listing.lastSeenAt && listing.lastSeenAt <= at).toBe(true);
      }
    });
  });

  it("keeps the held state through failures at any position", () => {
    property((steps) => {
      const { events, standing } = play(steps);
      const failure = step("error", 0);
      // A failure one millisecond after each check, so that the other results keep their times.
      const disturbed = steps.flatMap((one, index) => [
        { ...one, afterMs: one.afterMs - (index > 0 && one.afterMs > 1 ? 1 : 0) },
        { ...failure, afterMs: 1 },
      ]);
      const isAligned = steps.every(({ afterMs }, index) => index === 0 || afterMs > 1);
      fc.pre(isAligned);
      const other = play(disturbed);
      expect(other.events).toEqual(events);
      expect(other.standing?.holds).toBe(standing?.holds);
      expect(other.standing?.listing).toEqual(standing?.listing);
      expect(other.standing?.known).toEqual(standing?.known);
    });
  });

  it("has the same result if a check is stored twice or late", () => {
    property((steps) => {
      const { standing, looks } = play(steps);
      for (const check of looks) {
        expect(afterCheck(key, standing, check)).toEqual({ standing });
      }
    });
  });

  it("always schedules the next check within the period", () => {
    property((steps) => {
      const { standing, now } = play(steps);
      const next = nextCheckAt(standing, 2 * HOUR_MS, key.subject, now);
      expect(next.getTime()).toBeLessThanOrEqual(now.getTime() + 2.2 * HOUR_MS);
      if (standing) expect(next > standing.last.at).toBe(true);
    });
  });
});

describe("a listing", () => {
  it("is published by the confirmation check, at least ten minutes after the first", () => {
    expect(typesOf([step("listed", 0), step("listed", 10 * MINUTE_MS - 1)])).toEqual([]);
    const { events } = play([step("listed", 0), step("listed", 10 * MINUTE_MS)]);
    expect(events).toEqual([
      {
        type: "blacklist.listed",
        ...key,
        at: new Date(START_MS + 10 * MINUTE_MS),
        listing: {
          firstSeenAt: new Date(START_MS),
          lastSeenAt: new Date(START_MS + 10 * MINUTE_MS),
          codes: [{ code: "127.0.0.2", meaning: "spam" }],
        },
      },
    ]);
  });

  it("waits until caches no longer repeat the first answer, for at most an hour", () => {
    expect(typesOf([step("listed", 0, 30 * MINUTE_MS), step("listed", 29 * MINUTE_MS)])).toEqual([]);
    expect(typesOf([step("listed", 0, 30 * MINUTE_MS), step("listed", 30 * MINUTE_MS)])).toHaveLength(1);
    expect(typesOf([step("listed", 0, 24 * HOUR_MS), step("listed", HOUR_MS)])).toHaveLength(1);
  });

  it("is not published if a check in between found nothing", () => {
    const steps = [step("listed", 0), step("clean", 5 * MINUTE_MS), step("listed", 10 * MINUTE_MS)];
    expect(typesOf(steps)).toEqual([]);
  });

  it("has an early confirmation check, which is retried after a failure", () => {
    const first = play([step("listed", 0)]);
    const at = nextCheckAt(first.standing, 2 * HOUR_MS, key.subject, first.now);
    expect(at.getTime() - first.now.getTime()).toBe(10 * MINUTE_MS);
    const failed = play([step("listed", 0), step("error", 10 * MINUTE_MS)]);
    const again = nextCheckAt(failed.standing, 2 * HOUR_MS, key.subject, failed.now);
    expect(again.getTime() - failed.now.getTime()).toBeLessThan(6 * MINUTE_MS);
  });

  it("ends after two clean rounds", () => {
    const listed = [step("listed", 0), step("listed", HOUR_MS)];
    expect(typesOf([...listed, step("clean", HOUR_MS)])).toEqual(["blacklist.listed"]);
    expect(typesOf([...listed, step("clean", HOUR_MS), step("listed", HOUR_MS)])).toHaveLength(1);
    const { events, standing } = play([...listed, step("clean", HOUR_MS), step("clean", 2 * HOUR_MS)]);
    expect(events.map(({ type }) => type)).toEqual(["blacklist.listed", "blacklist.delisted"]);
    expect(events[1]?.listing.lastSeenAt).toEqual(new Date(START_MS + HOUR_MS));
    expect(standing?.listing).toBeUndefined();
  });
});

describe("an outage", () => {
  const listed = [step("listed", 0), step("listed", HOUR_MS)];

  it("keeps the last state with its age for 48 hours, and then shows the outage", () => {
    const { standing, now } = play([...listed, step("error", HOUR_MS), step("error", 40 * HOUR_MS)]);
    expect(standing?.known?.at).toEqual(new Date(START_MS + HOUR_MS));
    expect(shownState(standing, now)).toBe("listed");
    expect(shownState(standing, new Date(now.getTime() + 8 * HOUR_MS))).toBe("error");
  });

  it("is shown if nothing was known before", () => {
    const { standing, now } = play([step("refused", 0)]);
    expect(shownState(standing, now)).toBe("refused");
    expect(shownState(undefined, now)).toBeUndefined();
  });

  it("is retried after 5 and 15 minutes and an hour, then at the end of the period; a refusal is not retried", () => {
    const waits = [1, 2, 3, 4].map((count) => {
      const { standing, now } = play(Array.from({ length: count }, () => step("error", HOUR_MS)));
      return (nextCheckAt(standing, 6 * HOUR_MS, "x", now).getTime() - now.getTime()) / MINUTE_MS;
    });
    [5, 15, 60, 360].forEach((wanted, index) => {
      expect(waits[index]).toBeGreaterThanOrEqual(wanted * 0.9);
      expect(waits[index]).toBeLessThanOrEqual(wanted * 1.1);
    });
    const { standing, now } = play([step("refused", 0)]);
    expect(nextCheckAt(standing, 6 * HOUR_MS, "x", now).getTime() - now.getTime()).toBeGreaterThan(
      5 * HOUR_MS,
    );
  });
});
