import { describe, expect, it } from "vitest";
import { allFailed, replayBody, valuesOf } from "./replay-values.ts";

const now = new Date("2026-11-27T12:00:00.000Z");

describe("the body of a replay", () => {
  it("begins with the filters of a list, to the second", () => {
    expect(valuesOf({})).toEqual(allFailed);
    const from = "2026-11-26T09:00:07.000Z";
    const values = valuesOf({ from, type: "message.bounced", status: "5xx", state: "delivered" });
    expect(replayBody(values, now)).toEqual({
      from,
      until: now.toISOString(),
      types: ["message.bounced"],
      status: "5xx",
      delivered: true,
    });
    expect(valuesOf({ from: "no time" }).from).toBe("");
  });

  it("selects all failed deliveries up to now, unless the form says otherwise", () => {
    expect(replayBody(allFailed, now)).toEqual({ until: "2026-11-27T12:00:00.000Z" });
  });

  it("has the range, the types, the answer and the accepted deliveries of the form", () => {
    const values = {
      from: "2026-11-26T09:00",
      until: "2026-11-26T10:00",
      types: ["message.bounced"],
      status: "5xx",
      delivered: true,
    };
    expect(replayBody(values, now)).toEqual({
      from: new Date("2026-11-26T09:00").toISOString(),
      until: new Date("2026-11-26T10:00").toISOString(),
      types: ["message.bounced"],
      status: "5xx",
      delivered: true,
    });
  });
});
