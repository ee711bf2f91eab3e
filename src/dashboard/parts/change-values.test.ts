import { describe, expect, it } from "vitest";
import { compareChange, valueText } from "./change-values.ts";

describe("the values of a changed field", () => {
  it.each([
    ['"Shop"', "Shop"],
    ['""', '""'],
    ["3", "3"],
    ['{"characters":2000}', '{"characters":2000}'],
    ["cut", "cut"],
    [undefined, undefined],
  ])("show the value %j as %j", (json, text) => {
    expect(valueText(json)).toBe(text);
  });

  it("mark the different part of a text, and a number as a whole", () => {
    expect(compareChange('"mail.example.com"', '"mail.example.org"').after).toEqual([
      { text: "mail.example.", isMarked: false },
      { text: "org", isMarked: true },
    ]);
    expect(compareChange("3600", "7200")).toEqual({
      before: [{ text: "3600", isMarked: true }],
      after: [{ text: "7200", isMarked: true }],
    });
  });
});
