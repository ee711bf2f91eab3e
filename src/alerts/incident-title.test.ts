import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clippedLines, titleWith } from "./incident-title.ts";

const texts = fc.string({
  unit: fc.constantFrom(..."ab \t\r\n\v\f\u0085\u2028\u202e\0🔥é<&"),
  maxLength: 200,
});

describe("lines of a message", () => {
  it("contain no control or direction characters and no consecutive empty lines", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { lines } = clippedLines(text, 100, 10);
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
        expect(lines.join("\n")).not.toMatch(/\n\n\n|^\n/);
      }),
    );
  });

  it("are the beginning of the message, with the number of omitted characters", () => {
    fc.assert(
      fc.property(texts, fc.nat(60), fc.nat(6), (text, most, mostLines) => {
        const whole = clippedLines(text, 10_000, 10_000);
        const { lines, more } = clippedLines(text, most, mostLines);
        const count = (all: readonly string[]) => all.reduce((sum, line) => sum + [...line].length, 0);
        expect(whole.more).toBe(0);
        expect(whole.lines.join("\n").startsWith(lines.join("\n"))).toBe(true);
        expect(count(lines) + more).toBe(count(whole.lines));
        expect([count(lines) <= most, lines.length <= mostLines]).toEqual([true, true]);
      }),
      { numRuns: 1_000 },
    );
  });
});

it("a title stored by an earlier version shows the current severity", () => {
  expect(titleWith("critical", "[info] db: [x] is slow (a)")).toBe("[critical] db: [x] is slow (a)");
  expect(titleWith("info", "no mark")).toBe("[info] no mark");
});
