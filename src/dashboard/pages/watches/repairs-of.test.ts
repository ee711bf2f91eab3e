import { describe, expect, it } from "vitest";
import type { Watch, WatchCheck } from "../../api/watches.ts";
import { repairsOf } from "./repairs-of.ts";

const check = (id: string, severity: string | null, muted_until: string | null = null) =>
  ({ id, severity, muted_until }) as WatchCheck;
const watch = {
  checks: [
    check("passes", null),
    check("note", "info"),
    check("small", "warning"),
    check("large", "warning"),
    check("worst", "critical"),
    check("muted", "critical", "2030-01-01T00:00:00Z"),
  ],
} as unknown as Watch;
const idsOf = (gains: ReadonlyMap<string, number>) => repairsOf(watch, gains).map(({ check: { id } }) => id);

describe("the repairs of a domain", () => {
  it("begin with the largest gain, and leave out muted checks", () => {
    const gains = new Map([
      ["note", 0],
      ["small", 1.5],
      ["large", 12],
      ["worst", 12],
    ]);
    expect(idsOf(gains)).toEqual(["worst", "large", "small", "note"]);
  });

  it("begin with the highest severity if no gain is known", () => {
    expect(idsOf(new Map())).toEqual(["worst", "small", "large", "note"]);
  });
});
