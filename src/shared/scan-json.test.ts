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
        expect(scan(text).doubts.filter(({ kind }) => kind === "duplicateKey")).toEqual([]);
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
    expect(scan(text).doubts).toEqual(pointer === undefined ? [] : [{ kind: "duplicateKey", pointer }]);
  });
});

describe("a key that is more than a field to JavaScript", () => {
  it.each([
    ['{"a":[{"__proto__":1}]}', "/a/0/__proto__"],
    ['{"\\u005f_proto__":{}}', "/__proto__"],
    ['{"constructor":{"a":1,"prototype":{}}}', "/constructor/prototype"],
    ['{"constructor":"Ferrari","prototype":"F40"}', undefined],
    ['{"constructor":["prototype",{"prototype":1}],"a":"__proto__"}', undefined],
  ])("%s: %s", (text, pointer) => {
    expect(scan(text).doubts).toEqual(pointer === undefined ? [] : [{ kind: "prototypeKey", pointer }]);
  });
});

describe("a number that cannot be held as it is written", () => {
  it.each([
    ["9007199254740992", false],
    ["-9007199254740993", false],
    ["12345678901234567890", false],
    ["1e400", false],
    ["-1e400", false],
    ["1e-400", false],
    ["1e16", false],
    ["0.12345678901234567890", false],
    ["1.0000000000000001", false],
    ["1234567890123456.78", false],
    [`1${"0".repeat(500)}`, false],
    [`0.${"1".repeat(500)}`, false],
    ["9007199254740991", true],
    ["-9007199254740991", true],
    ["0.1", true],
    ["0.10000000000000001", true],
    ["0.1000000000000000055511151231257827021181583404541015625", true],
    ["19.990", true],
    ["0", true],
    ["-0.0", true],
    ["0e999", true],
    ["1E+2", true],
    ["5e-324", true],
    ["9007199254740991.0", true],
    // In the middle between both of this length.
    ["1020903072241714.2", true],
    ["1020903072241714.3", true],
    ["1.7976931348623157e-300", true],
    ["true", true],
    ["null", true],
  ])("%s: %s", (number, isExact) => {
    const doubts = [{ kind: "inexactNumber", pointer: "/a/1" }];
    expect(scan(`{"a":["x",${number}],"b":1}`).doubts).toEqual(isExact ? [] : doubts);
  });

  it("is never one that JavaScript itself writes, up to 2^53 - 1", () => {
    fc.assert(
      fc.property(fc.double({ min: -(2 ** 53 - 1), max: 2 ** 53 - 1, noNaN: true }), (value) => {
        expect(scan(JSON.stringify([value])).doubts).toEqual([]);
      }),
    );
  });

  it("is found in no time, however long it is", () => {
    const before = process.cpuUsage();
    expect(scan(`[${"1".repeat(5_000_000)},${"0.0000001".repeat(500_000)}]`).doubts.length).toBe(1);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});
