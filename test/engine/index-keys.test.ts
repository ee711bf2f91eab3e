import {
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from "bson";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareValues } from "../../src/engine/bson/compare.ts";
import { decodeDocument } from "../../src/engine/bson/decode.ts";
import { encodeDocument } from "../../src/engine/bson/encode.ts";
import { encodeKey } from "../../src/engine/bson/key.ts";
import type { Value } from "../../src/engine/bson/values.ts";
import { boundsOf } from "../../src/engine/query/bounds.ts";
import type { FieldTest } from "../../src/engine/query/filter.ts";
import { testValue } from "../../src/engine/query/matches.ts";

const compared = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.constantFrom("9007199254740993", "-9007199254740993").map((text) => Long.fromString(text)),
  fc
    .constantFrom(9007199254740992, -9007199254740992, -0, 0.1, 1e308, Infinity)
    .map((number) => new Double(number)),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "\0", "a\0", "a\0b", "😀", "\uffff"),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => new Binary(bytes)),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(null, true, false, new ObjectId("0".repeat(24))),
);
/** Types that are stored, and never compared. */
const stored = fc.constantFrom(
  ...["0.1", "1E+30", "NaN"].map((text) => Decimal128.fromString(text)),
  new MinKey(),
  new MaxKey(),
  new Timestamp(5n),
  new Code("f()"),
  new Code("f()", { a: 1 }),
  /a/i,
);
const nested = (scalar: fc.Arbitrary<unknown>) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "\u00e9"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
const value = nested(compared);

function decoded(input: unknown): Value {
  return decodeDocument(Buffer.from(serialize({ v: input }))).get("v") as Value;
}

describe("index keys", () => {
  it("are in the order of the values, and reversed when descending", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [decoded(a), decoded(b)];
        const order = Math.sign(compareValues(left, right));
        expect(Math.sign(encodeKey(left).compare(encodeKey(right)))).toBe(order);
        expect(Math.sign(encodeKey(left, true).compare(encodeKey(right, true)))).toBe(-order + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("of one value never begin with another's", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [encodeKey(decoded(a)), encodeKey(decoded(b))];
        if (!left.equals(right)) expect(left.equals(right.subarray(0, left.length))).toBe(false);
      }),
    );
  });

  it("are within the bounds of a condition if their value matches it, and otherwise outside", () => {
    const operators = fc.constantFrom("eq", "gt", "gte", "lt", "lte");
    fc.assert(
      fc.property(value, value, operators, fc.boolean(), (a, b, op, descending) => {
        const [left, right] = [decoded(a), decoded(b)];
        const test = { op, value: right } as FieldTest;
        const bounds = boundsOf(test, descending, false);
        fc.pre(bounds !== undefined && !Array.isArray(left));
        const key = encodeKey(left, descending);
        const isWithin = bounds.intervals.some(
          ({ start, end }) => start.compare(key) <= 0 && key.compare(end) < 0,
        );
        expect(isWithin).toBe(testValue(test, left));
      }),
      { numRuns: 5000 },
    );
  });

  it("are refused for types without a known order", () => {
    fc.assert(
      fc.property(stored, (input) => {
        expect(() => encodeKey(decoded(input))).toThrow("is not supported by the embedded engine");
      }),
    );
  });

  it("come from documents that decode and encode to the same bytes", () => {
    fc.assert(
      fc.property(nested(fc.oneof(compared, stored)), (input) => {
        const bytes = Buffer.from(serialize({ "2": 1, v: input, "1": input }));
        expect(encodeDocument(decodeDocument(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });
});
