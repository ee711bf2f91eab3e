import fc from "fast-check";
import { expect, it } from "vitest";
import { normaliseLines } from "./encode-text.ts";

it.each([
  ["", ""],
  ["a\r\nb\r\n", "a\r\nb\r\n"],
  ["a\nb", "a\r\nb"],
  ["a\rb", "a\r\nb"],
  ["a\r\r\nb", "a\r\n\r\nb"],
  ["a\n\rb", "a\r\n\r\nb"],
  ["\r", "\r\n"],
  ["\n.\r\n", "\r\n.\r\n"],
])("%j becomes %j", (text, normal) => {
  expect(normaliseLines(text)).toBe(normal);
});

it("leaves no bare CR or LF in any mixture, and changes nothing else", () => {
  const text = fc.array(fc.constantFrom("\r", "\n", ".", "a", "\0")).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (given) => {
      const normal = normaliseLines(given);
      expect(normal.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      expect(normal.replaceAll("\r\n", "")).toBe(given.replaceAll(/[\r\n]/g, ""));
      expect(normaliseLines(normal)).toBe(normal);
    }),
  );
});
