import { expect, it } from "vitest";
import { csvLine } from "./csv-line.ts";

it("a line of CSV can be read back, and begins no cell as a formula", () => {
  expect(csvLine(["plain", "", 'a "b", c', "two\nlines", "ü"])).toBe(
    'plain,,"a ""b"", c","two\nlines",ü\r\n',
  );
  const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://evil.example")'];
  for (const formula of formulas) expect(csvLine([formula])).toMatch(/^"?'/);
  expect(csvLine(["a=1", "1-1"])).toBe("a=1,1-1\r\n");
});
