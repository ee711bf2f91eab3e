import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newIdInBucket } from "../../shared/ids.ts";
import { decodeBatch, encodeBatch, findInBatch } from "./batch-code.ts";
import { packIds, unpackId } from "./packed-ids.ts";
import { decodePostings, encodePostings, findPosting, intersection, union } from "./postings.ts";

const term = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const numbers = fc.uniqueArray(fc.nat({ max: 300_000 }), { minLength: 1, maxLength: 40 });
const id = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 48 }), fc.nat({ max: 65_535 }))
  .map(([ms, bucket]) => newIdInBucket("msg", new Date(ms), bucket));
const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);

describe("a union", () => {
  it("contains each number of any list once, ascending", () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 30 })), (lists) => {
        expect(union(lists.map(sorted))).toEqual(sorted([...new Set(lists.flat())]));
      }),
    );
  });
});

describe("packed data", () => {
  it("is unpacked unchanged: postings", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(term, numbers), { selector: ([one]) => one }), (entries) => {
        const postings = entries
          .map(([one, list]) => ({ term: one, numbers: sorted(list) }))
          .sort((a, b) => a.term - b.term);
        const chunk = encodePostings(postings);
        expect([...decodePostings(chunk)]).toEqual(postings);
        for (const posting of postings) expect(findPosting(chunk, posting.term)).toEqual(posting.numbers);
        const missing = (postings.at(-1)?.term ?? 0) + 1;
        expect(findPosting(chunk, missing)).toEqual([]);
      }),
    );
  });

  it("is unpacked unchanged: ids, with bytes in the order of the ids", () => {
    fc.assert(
      fc.property(fc.array(id, { minLength: 2 }), (ids) => {
        const packed = packIds(ids);
        expect(ids.map((_, index) => unpackId(packed, index))).toEqual(ids);
        const [a = "", b = ""] = ids;
        expect(Math.sign(packIds([a]).compare(packIds([b])))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it("is unpacked unchanged: batches, which find messages with a term of each group", () => {
    const message = fc.record({ id, terms: fc.uniqueArray(fc.nat({ max: 20 })) });
    const groups = fc.array(fc.array(fc.nat({ max: 20 }), { minLength: 1 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(message), groups, (messages, wanted) => {
        const bytes = encodeBatch(messages);
        expect([...decodeBatch(bytes)]).toEqual(messages);
        const meets = messages.filter((one) =>
          wanted.every((group) => group.some((each) => one.terms.includes(each))),
        );
        expect(findInBatch(bytes, wanted)).toEqual(meets.map((one) => one.id));
      }),
    );
  });
});

describe("lists of numbers", () => {
  it("have the intersections and unions of sets", () => {
    fc.assert(
      fc.property(fc.array(numbers.map(sorted), { minLength: 1, maxLength: 4 }), (lists) => {
        const [first = [], ...others] = lists;
        expect(intersection(lists)).toEqual(
          first.filter((number) => others.every((list) => list.includes(number))),
        );
        expect(union(lists)).toEqual(sorted([...new Set(lists.flat())]));
      }),
    );
  });
});
