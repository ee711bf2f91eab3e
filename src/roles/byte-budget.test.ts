import { describe, expect, it } from "vitest";
import { bytesThatFit } from "./byte-budget.ts";

const MB = 1024 * 1024;
const unlimited = Number.POSITIVE_INFINITY;

describe("the default memory of submissions", () => {
  it("is 96 MB with enough memory", () => {
    expect(bytesThatFit({ heapBytes: 4144 * MB, allBytes: unlimited })).toBe(96 * MB);
  });

  it.each([304, 180, 130])("fits into a heap of %i MB, with all of its copies", (heap) => {
    const bytes = bytesThatFit({ heapBytes: heap * MB, allBytes: unlimited });
    expect(bytes * 6).toBeLessThanOrEqual((heap - 64) * MB);
    expect(bytes * 6).toBeGreaterThan((heap - 65) * MB);
  });

  it.each([1024, 512, 256])("fits into a container of %i MB, with all of its copies", (all) => {
    const bytes = bytesThatFit({ heapBytes: 4144 * MB, allBytes: all * MB });
    expect(bytes).toBeLessThanOrEqual(96 * MB);
    expect(bytes * 7).toBeLessThanOrEqual((all - 200) * MB);
  });

  it("accepts submissions with any small amount of memory", () => {
    expect(bytesThatFit({ heapBytes: 32 * MB, allBytes: 64 * MB })).toBe(MB);
  });
});
