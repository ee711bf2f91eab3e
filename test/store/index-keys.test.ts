import {
  Binary,
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
import { compareValues } from "../../src/store/embedded/bson/compare.ts";
import { decodeDocument } from "../../src/store/embedded/bson/decode.ts";
import { encodeDocument } from "../../src/store/embedded/bson/encode.ts";
import { encodeKey, KeyWriter } from "../../src/store/embedded/bson/key.ts";
import type { Value } from "../../src/store/embedded/bson/values.ts";

const scalar = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc
    .constantFrom("0.1", "1.5", "1E+30", "-0.30", "9007199254740993", "NaN", "-1E+400")
    .map((text) => Decimal128.fromString(text)),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "\0", "a\0", "a\0b", "😀", "\uffff"),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => new Binary(bytes)),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(
    null,
    true,
    false,
    new MinKey(),
    new MaxKey(),
    new ObjectId("0".repeat(24)),
    new Timestamp(5n),
    /a/i,
    /b/,
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "\u00e9"), tie("value"), { maxKeys: 3 }),
  ),
}));

function decoded(input: unknown): Value {
  return decodeDocument(Buffer.from(serialize({ v: input }))).get("v") as Value;
}

describe("index keys", () => {
  it("lie in the order of the values, and in reverse when descending", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [decoded(a), decoded(b)];
        const order = Math.sign(compareValues(left, right));
        expect(Math.sign(encodeKey(left).compare(encodeKey(right)))).toBe(order);
        const down = (item: Value) => new KeyWriter().value(item, true).take();
        expect(Math.sign(down(left).compare(down(right)))).toBe(-order + 0);
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

  it("are made of documents that decode and encode to the same bytes", () => {
    fc.assert(
      fc.property(value, (input) => {
        const bytes = Buffer.from(serialize({ "2": 1, v: input, "1": input }));
        expect(encodeDocument(decodeDocument(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });
});
