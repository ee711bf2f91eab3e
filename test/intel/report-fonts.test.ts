import { readFileSync } from "node:fs";
import path from "node:path";
import { openSync } from "fontkit";
import { describe, expect, it } from "vitest";
import { openReportFonts } from "../../src/intel/reports/pdf/report-fonts.ts";

const PACKAGES = path.resolve(import.meta.dirname, "../../node_modules/@fontsource");
const CODE_POINTS = Array.from({ length: 0x10000 }, (_, code) => code);

const lettersOf = (file: string) => {
  const font = openSync(file);
  return CODE_POINTS.filter((code) => font.hasGlyphForCodePoint(code));
};

describe("fonts of reports", () => {
  const { files } = openReportFonts();

  it.each(Object.values(files).flatMap(({ normal, bold }) => [normal, bold]))(
    "have tables that need no unpacking: %s",
    (file) => {
      expect(["00010000", "4f54544f"]).toContain(readFileSync(file).toString("hex", 0, 4));
    },
  );

  it.each([
    [files.mono?.normal, "dejavu-mono/files/dejavu-mono-latin-400-normal.woff"],
    [files.symbols?.normal, "dejavu-sans/files/dejavu-sans-latin-400-normal.woff"],
    [files.symbols?.bold, "dejavu-sans/files/dejavu-sans-latin-700-normal.woff"],
  ])("have the letters of the files that they were unpacked from: %s", (file = "", source) => {
    const letters = lettersOf(file);
    expect(letters.length).toBeGreaterThan(100);
    expect(letters).toEqual(lettersOf(path.join(PACKAGES, source)));
  });
});
