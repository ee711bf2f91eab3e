import { describe, expect, it } from "vitest";
import { csvCell, EXAMPLE } from "./example.ts";

describe("a CSV file of the page", () => {
  it("quotes separators, quotes and line breaks", () => {
    expect(csvCell("plain")).toBe("plain");
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
    expect(csvCell("two\nlines")).toBe('"two\nlines"');
  });

  it("has no cell that a spreadsheet calculates", () => {
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(csvCell("@sum")).toBe("'@sum");
  });

  it("begins with the columns of the example", () => {
    expect(EXAMPLE.split("\r\n").map((row) => row.split(",").length)).toEqual([7, 7, 7, 1]);
  });
});
