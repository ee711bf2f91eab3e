import { describe, expect, it } from "vitest";
import { changeText, endedOf, limitOf, pointsText, rateText, sumsOf } from "./rates.ts";

const series = (kind: string, sum: number) => ({ kind, sum });

describe("the figures of the overview", () => {
  it("sums events by kind, over all values of a dimension", () => {
    expect(sumsOf([series("delivered", 2), series("bounced", 1), series("delivered", 3)])).toEqual({
      delivered: 5,
      bounced: 1,
    });
  });

  it("computes rates from messages with a final delivery state, without waiting and captured messages", () => {
    expect(endedOf({ accepted: 100, captured: 50, deferred: 7, delivered: 8, bounced: 1, expired: 1 })).toBe(
      10,
    );
  });

  it.each([
    [991, 1_000, "99.1\u00a0%"],
    [1, 3, "33.33\u00a0%"],
    [0, 5, "0\u00a0%"],
    [0, 0, "–"],
  ])("writes %i of %i as %s", (part, whole, text) => {
    expect(rateText(part, whole)).toBe(text);
  });

  it.each([
    [104, 100, "+4\u00a0%"],
    [50, 100, "-50\u00a0%"],
    [100, 100, "0\u00a0%"],
    [5, 0, undefined],
  ])("compares %i with the previous %i as %s", (now, before, text) => {
    expect(changeText(now, before)).toBe(text);
  });
});

describe("the limits of the overview", () => {
  const limit = (provider: string, rate: number, level = "limit", measure = "complaints") => ({
    provider,
    measure,
    level,
    rate,
  });

  it("shows the lowest rate at which a provider takes action, with the provider", () => {
    const limits = [
      limit("gmail", 0.001, "target"),
      limit("gmail", 0.003),
      limit("yahoo", 0.003),
      limit("ses", 0.005),
      limit("ses", 0.1, "limit", "bounces"),
    ];
    expect(limitOf(limits, "complaints")).toEqual({ rate: 0.003, name: "Gmail, Yahoo", text: "0.3\u00a0%" });
    expect(limitOf(limits, "bounces")).toMatchObject({ rate: 0.1, name: "Amazon SES" });
    expect(limitOf([], "bounces")).toBeUndefined();
  });

  it.each([
    [0.021, 0.017, "+0.4\u00a0pp"],
    [0.01, 0.02, "-1\u00a0pp"],
    [0.5, Number.NaN, undefined],
  ])("compares a rate of %d with the previous %d as %s", (now, before, text) => {
    expect(pointsText(now, before)).toBe(text);
  });
});
