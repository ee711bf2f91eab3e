import { describe, expect, it } from "vitest";
import { allOf, createDestinationLimits, type Destination, type Feedback } from "./destination-limits.ts";

function destination(concurrency: number, perMinute?: number): Destination {
  return createDestinationLimits().at("mx.example.com", { concurrency, perMinute });
}

/** Starts as many deliveries as permitted and returns their number. */
function fill(to: Destination, nowMs: number): number {
  let started = 0;
  for (; to.startsAtMs(nowMs) <= nowMs; started++) to.started(nowMs);
  return started;
}

function endAll(
  to: Destination,
  count: number,
  feedback: Feedback,
  startedMs: number,
  nowMs = startedMs,
): void {
  for (let i = 0; i < count; i++) to.ended(feedback, startedMs, nowMs);
}

/** Permitted concurrency after this many full rounds of accepted messages. */
function grown(to: Destination, rounds: number): number {
  for (let i = 0; i < rounds; i++) endAll(to, fill(to, i), "accepted", i);
  const most = fill(to, rounds);
  endAll(to, most, "neutral", rounds);
  return most;
}

describe("concurrency", () => {
  it("begins with five, grows by one per round of accepted messages, and never exceeds its limit", () => {
    expect(fill(destination(20), 0)).toBe(5);
    expect(grown(destination(20), 3)).toBe(8);
    expect(grown(destination(20), 50)).toBe(20);
    expect(fill(destination(2), 0)).toBe(2);
  });

  it("waits for a delivery to end when it is used up", () => {
    const to = destination(3);
    fill(to, 0);
    expect(to.startsAtMs(0)).toBe(Number.POSITIVE_INFINITY);
    to.ended("neutral", 0, 1);
    expect(to.startsAtMs(1)).toBe(1);
  });

  it("halves, once for all concurrent deliveries, when the destination asks to slow down", () => {
    const to = destination(20);
    expect(grown(to, 50)).toBe(20);
    const under = fill(to, 1_000);
    endAll(to, under, "slow_down", 1_000, 1_010);
    expect(fill(to, 100_000)).toBe(10);
    endAll(to, 10, "slow_down", 100_000);
    expect(fill(to, 200_000)).toBe(5);
  });

  it("never falls to zero, and rises again", () => {
    const to = destination(4);
    for (let i = 1; i < 10; i++) endAll(to, fill(to, i * 100_000), "slow_down", i * 100_000);
    const nowMs = 2_000_000;
    expect(fill(to, nowMs)).toBe(1);
    to.ended("accepted", nowMs, nowMs);
    expect(fill(to, nowMs + 1)).toBe(2);
  });

  it("follows a lowered limit", () => {
    const limits = createDestinationLimits();
    const to = limits.at("one", { concurrency: 5, perMinute: undefined });
    expect(limits.at("one", { concurrency: 2, perMinute: undefined })).toBe(to);
    expect(fill(to, 0)).toBe(2);
  });
});

describe("pauses", () => {
  it("double until a message is accepted, and then begin with the shortest again", () => {
    const to = destination(1);
    const pauses: number[] = [];
    let nowMs = 1_000;
    for (const feedback of ["slow_down", "slow_down", "slow_down", "accepted", "slow_down"] as const) {
      to.started(nowMs);
      to.ended(feedback, nowMs, nowMs);
      pauses.push(to.startsAtMs(nowMs) - nowMs);
      nowMs = to.startsAtMs(nowMs) + 1;
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 0, 1_000]);
  });
});

describe("rate", () => {
  it("spaces starts evenly", () => {
    const to = destination(100, 600);
    const starts: number[] = [];
    for (let nowMs = 0; nowMs < 1_000; nowMs += 10) {
      if (to.startsAtMs(nowMs) > nowMs) continue;
      to.started(nowMs);
      to.ended("neutral", nowMs, nowMs);
      starts.push(nowMs);
    }
    expect(starts).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  });

  it("halves when the destination asks to slow down", () => {
    const to = destination(100, 600);
    to.started(1_000);
    to.ended("slow_down", 1_000, 1_000);
    to.started(10_000);
    expect(to.startsAtMs(10_000) - 10_000).toBe(200);
  });
});

describe("several limits together", () => {
  it("apply the strictest one, and all of them learn", () => {
    const limits = createDestinationLimits();
    const site = limits.at("site", { concurrency: 5, perMinute: undefined });
    const one = allOf("one", [site, limits.at("policy one", { concurrency: 2, perMinute: undefined })]);
    const two = allOf("two", [site, limits.at("policy two", { concurrency: 9, perMinute: undefined })]);
    expect([fill(one, 0), fill(two, 0)]).toEqual([2, 3]);
    one.ended("slow_down", 0, 1);
    expect(two.startsAtMs(1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the speed class", () => {
  const SLOW = 3_000;
  const slowSite = () => createDestinationLimits(SLOW).at("mx", { concurrency: 20, perMinute: undefined });

  it("is new before the first attempt, slow until its first answer, and then depends on the time of that answer", () => {
    const to = slowSite();
    expect(to.pace(0)).toBe("new");
    to.started(0);
    expect(to.pace(1)).toBe("slow");
    to.ended("neutral", 0, 100);
    expect(to.pace(200)).toBe("quick");
  });

  it("is slow while an answer takes long, and after one that took long, until a quick one", () => {
    const to = slowSite();
    to.started(0);
    to.ended("accepted", 0, 10);
    to.started(10);
    expect([to.pace(SLOW + 9), to.pace(SLOW + 10)]).toEqual(["quick", "slow"]);
    to.ended("accepted", 10, 10_000);
    expect(to.pace(10_001)).toBe("slow");
    to.started(20_000);
    to.ended("slow_down", 20_000, 20_050);
    expect(to.pace(20_060)).toBe("quick");
  });

  it("is not affected by attempts without a server", () => {
    const to = slowSite();
    to.started(0);
    to.ended("unattempted", 0, 1);
    expect(to.pace(2)).toBe("new");
  });

  it("of several limits is the worst known one", () => {
    const [one, other] = [slowSite(), slowSite()];
    const both = allOf("both", [one, other]);
    one.started(0);
    one.ended("accepted", 0, 1);
    expect(both.pace(1)).toBe("quick");
    other.started(0);
    expect(both.pace(SLOW)).toBe("slow");
  });
});
