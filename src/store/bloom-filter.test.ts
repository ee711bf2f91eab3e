import { describe, expect, it } from "vitest";
import { createBloomFilter } from "./bloom-filter.ts";

const id = (n: number) => `acc_0198f3c2:person-${n}@example.net:`;

describe("a Bloom filter", () => {
  it("contains every added text", () => {
    for (const bits of [8, 64, 2 ** 23]) {
      const filter = createBloomFilter(bits);
      for (let n = 0; n < 5_000; n++) filter.add(id(n));
      for (let n = 0; n < 5_000; n++) expect(filter.mayHave(id(n))).toBe(true);
    }
  });

  it("recognizes a text as a database returns it", () => {
    const filter = createBloomFilter();
    for (const text of ["", "é", "😀", "a\ud800", "\udfff"]) {
      filter.add(Buffer.from(text).toString());
      expect(filter.mayHave(text)).toBe(true);
    }
  });

  it("is empty initially", () => {
    const filter = createBloomFilter();
    expect(["", "a", id(1)].some(filter.mayHave)).toBe(false);
  });

  it("has the minimum rate of false positives", () => {
    // The rate is (1 - e^(-kn/m))^k for n texts in m bits, with k positions each.
    for (const [bits, n, rate] of [
      [2 ** 16, 2_000, 0.00006],
      [2 ** 16, 8_000, 0.0195],
      [2 ** 16, 16_000, 0.173],
    ] as const) {
      const filter = createBloomFilter(bits);
      for (let one = 0; one < n; one++) filter.add(id(one));
      let wrong = 0;
      for (let one = n; one < n + 40_000; one++) if (filter.mayHave(id(one))) wrong++;
      expect(wrong / 40_000).toBeLessThan(rate * 1.1 + 0.0005);
    }
  });

  it("is right of all that was added, and of nothing else, once it is full", () => {
    const filter = createBloomFilter(8);
    for (let n = 0; n < 100; n++) filter.add(id(n));
    expect([id(1), id(1_000)].map(filter.mayHave)).toEqual([true, true]);
  });
});
