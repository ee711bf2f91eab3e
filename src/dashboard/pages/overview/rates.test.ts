import { describe, expect, it } from "vitest";
import { changeText, endedOf, rateText, sumsOf } from "./rates.ts";

const series = (kind: string, sum: number) => ({ kind, sum });

describe("the figures of the overview", () => {
  it("adds up what happened by kind, over all values of a dimension", () => {
    expect(sumsOf([series("delivered", 2), series("bounced", 1), series("delivered", 3)])).toEqual({
      delivered: 5,
      bounced: 1,
    });
  });

  it("takes rates of messages whose delivery has ended: waiting and captured ones are no part", () => {
    expect(endedOf({ accepted: 100, captured: 50, deferred: 7, delivered: 8, bounced: 1, expired: 1 })).toBe(
      10,
    );
  });

  it.each([
    [991, 1_000, "99.1 %"],
    [1, 3, "33.33 %"],
    [0, 5, "0 %"],
    [0, 0, "–"],
  ])("writes %i of %i as %s", (part, whole, text) => {
    expect(rateText(part, whole)).toBe(text);
  });

  it.each([
    [104, 100, "+4 %"],
    [50, 100, "-50 %"],
    [100, 100, "0 %"],
    [5, 0, undefined],
  ])("compares %i with %i before as %s", (now, before, text) => {
    expect(changeText(now, before)).toBe(text);
  });
});
