import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/cli/input/find-json-fault.ts";
import { displayWidth } from "../../src/cli/output/table.ts";
import { span } from "../../src/cli/output/text.ts";

describe("the position of a mistake in JSON", () => {
  it.each([
    ['{"a": 1,}', 7, 'a comma before "}" is not allowed'],
    ['{"a" 1}', 5, '":" is expected after the property name'],
    ["{a: 1}", 1, "a property name in double quotes is expected here"],
    ["{'a': 1}", 1, "a property name in double quotes is expected here"],
    ["['a']", 1, "strings must be in double quotes"],
    ["[1 2]", 3, '"," or "]" is expected here'],
    ["// note\n1", 0, "JSON has no comments"],
    ['{"a": nul}', 6, "a value is expected here"],
    [
      '"a\nb"',
      2,
      "a string must not contain a line break, a tab or another control character: write \\n, \\t",
    ],
    ['"C:\\Users"', 3, "unknown escape sequence: write \\\\ for a backslash"],
    ["{} {}", 3, "unexpected text after the end of the value"],
    ['{"a": [1', 8, "the text ends too early"],
    ['"abc', 4, "the text ends too early"],
    ["", 0, "the text ends too early"],
  ])("%j: %i, %s", (text, offset, problem) => {
    expect(findJsonFault(text)).toEqual({ offset, problem });
  });

  it("is found where JSON.parse finds it", () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "\\", "0", "-", "e", "\n", "null"))
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(mutated, (text) => (findJsonFault(text) === undefined) === parses(text)),
      { numRuns: 3000 },
    );
  });
});

it.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["\u001b[31mred\u001b[39m", 3],
  ["✅ ok", 5],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it.each([
  [180, "0.18s"],
  [42_300, "42s"],
  [302_000, "5m 2s"],
  [97_200_000, "1d 3h"],
  [-5, "0.00s"],
])("%i ms are %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});
