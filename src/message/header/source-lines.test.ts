import fc from "fast-check";
import { expect, it } from "vitest";
import { checkLines, createLineCheck } from "./source-lines.ts";

/** The rule in its simplest form. */
function isClean(text: string): boolean {
  if (text.includes("\0")) return false;
  const lines = text.split("\r\n");
  return lines.every((line) => !/[\r\n]/.test(line) && line.length <= 998);
}

it.each([
  ["", true],
  ["a\r\n", true],
  ["a", true],
  ["\r\n\r\n", true],
  [`${"x".repeat(998)}\r\n`, true],
  [`${"x".repeat(999)}\r\n`, false],
  ["x".repeat(999), false],
  ["a\nb\r\n", false],
  ["a\rb\r\n", false],
  ["a\r\r\n", false],
  ["a\n\r\n", false],
  ["\n", false],
  ["a\r", false],
  ["a\0\r\n", false],
])("%j is clean: %s", (text, clean) => {
  expect(checkLines(Buffer.from(text)) === undefined).toBe(clean);
});

it("finds the same in any pieces of a message", () => {
  const piece = fc.oneof(
    fc.constantFrom("\r", "\n", "\r\n", "\r\n\r\n", "a", ".", "\0", "x".repeat(400), "x".repeat(998)),
    fc.string({ maxLength: 5, unit: "binary-ascii" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const check = createLineCheck();
      let fault = undefined as ReturnType<typeof check.end>;
      for (const one of pieces) fault ??= check.push(Buffer.from(one, "latin1"));
      fault ??= check.end();
      expect(fault === undefined).toBe(isClean(pieces.join("")));
    }),
    { numRuns: 2_000 },
  );
});
