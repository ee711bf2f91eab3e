import fc from "fast-check";
import { expect, it } from "vitest";
import { trimEnd } from "./trim-end.ts";

it("removes from the end what a regular expression removes", () => {
  const text = fc.string({ unit: fc.constantFrom(" ", "\t", "a", "\n") });
  fc.assert(
    fc.property(text, (given) => void expect(trimEnd(given, " \t")).toBe(given.replace(/[ \t]+$/, ""))),
  );
});

it("reads each character of the end once", () => {
  let reads = 0;
  const characters = Object.assign(Object(" \t") as string, {
    includes: (one: string) => {
      reads += 1;
      return one === " " || one === "\t";
    },
  });
  expect(trimEnd(`${" ".repeat(100_000)}x${"\t".repeat(1_000)}`, characters)).toHaveLength(100_001);
  expect(reads).toBe(1_001);
});
