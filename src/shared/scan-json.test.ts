import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../test/harness/cpu-seconds.ts";
import { type JsonLimits, scanJson } from "./scan-json.ts";

const NO_LIMITS: JsonLimits = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };
const scan = (text: string, limits: Partial<JsonLimits> = {}) =>
  scanJson(Buffer.from(text), { ...NO_LIMITS, ...limits });

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the limits of a JSON text", () => {
  it.each([
    ['{"a":{"b":[0,{"c":1}]}}', { maxDepth: 3 }, "maxDepth", "/a/b/1"],
    ['{"a":{"b":[0,{"c":1}]}}', { maxDepth: 1 }, "maxDepth", "/a"],
    ["[[]]", { maxDepth: 0 }, "maxDepth", ""],
    ['{"a":1,"list":[1,2,"x",null]}', { maxValues: 5 }, "maxValues", "/list"],
    ['{"a":1,"b":2,"c":3}', { maxValues: 3 }, "maxValues", ""],
    ['{"x/y":{"~":[{},{},{}]}}', { maxValues: 5 }, "maxValues", "/x~1y/~0"],
    ['{"say \\"hi\\"":[[1,2]]}', { maxValues: 4 }, "maxValues", '/say "hi"/0'],
  ])("%s has too much at %o", (text, limits, limit, pointer) => {
    expect(scan(text, limits).excess).toEqual({ limit, pointer });
  });

  it("are counted as a parser counts, whatever is in strings and keys", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.boolean(), (compact, spaced) => {
        const value: unknown = JSON.parse(compact);
        const text = spaced ? JSON.stringify(value, null, 2) : JSON.stringify(value);
        const [values, depth] = [countValues(value), depthOf(value)];
        expect(scan(text, { maxValues: values, maxDepth: depth }).excess).toBeUndefined();
        expect(scan(text, { maxValues: values - 1 }).excess?.limit).toBe("maxValues");
        if (depth > 0) expect(scan(text, { maxDepth: depth - 1 }).excess?.limit).toBe("maxDepth");
        expect(scan(text).duplicateKey).toBeUndefined();
      }),
    );
  });

  it("end the scan of what is no JSON too", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[[\]{}",:\\a1 ]*$/), (text) => {
        scan(text, { maxDepth: 5, maxValues: 5 });
      }),
    );
  });

  it("are found in linear time in megabytes of empty objects", () => {
    const text = `{"template_data":{"a":[${"{},".repeat(3_000_000)}{}]}}`;
    const took = cpuSecondsOf(() => {
      const { excess } = scan(text, { maxDepth: 32, maxValues: 10_000 });
      expect(excess).toEqual({ limit: "maxValues", pointer: "/template_data/a" });
    });
    expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
  });
});

describe("a key that stands twice", () => {
  it.each([
    ['{"to":1,"to":2}', "/to"],
    ['{"a":[{"b":1},{"b":2,"c":3,"b":4}]}', "/a/1/b"],
    ['{"to":1,"\\u0074o":2}', "/to"],
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', undefined],
    ['{"a":"\\"b\\":1,\\"b\\":2"}', undefined],
  ])("%s: %s", (text, pointer) => {
    expect(scan(text).duplicateKey).toBe(pointer);
  });
});
