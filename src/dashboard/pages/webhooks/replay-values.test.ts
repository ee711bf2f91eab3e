import { describe, expect, it } from "vitest";
import { allFailed, replayBody } from "./replay-values.ts";

const now = new Date("2026-11-27T12:00:00.000Z");

describe("the body of a replay", () => {
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
