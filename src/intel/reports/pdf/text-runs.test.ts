import { describe, expect, it } from "vitest";
import type { FontName } from "./report-fonts.ts";
import { createWriteRuns } from "./text-runs.ts";

/** The fonts of the build by name only: each has the letters of one script. */
const scripts: readonly (readonly [FontName, RegExp])[] = [
  ["arabic", /[\p{Script=Arabic} ()]/u],
  ["hebrew", /[\p{Script=Hebrew} ]/u],
  ["han", /\p{Script=Han}/u],
  ["emoji", /🚀|👍|\u{1f3fd}/u],
];
const sans = /[\p{Script=Latin}\p{Script=Greek}\p{N}\p{P}\p{Zs}+]|\u0301/u;

const runs = createWriteRuns({
  fontOf: (code, preferred) => {
    const letter = String.fromCodePoint(code);
    const has = (name: FontName) =>
      name === "sans" || name === "mono"
        ? sans.test(letter)
        : scripts.some(([font, letters]) => font === name && letters.test(letter));
    return [preferred, "arabic", "hebrew", "han", "emoji", "sans"].find((name) =>
      has(name as FontName),
    ) as FontName;
  },
});
const shown = (text: string) => runs(text).map((run) => `${run.font}:${run.text.replaceAll("\u00a0", "_")}`);

describe("runs of a text", () => {
  it("are a single run if one font has all letters", () => {
    expect(shown("Nordwind AG")).toEqual(["sans:Nordwind AG"]);
    expect(runs("v=spf1 -all", "mono")).toEqual([{ text: "v=spf1 -all", font: "mono" }]);
  });

  it("change the font for missing letters", () => {
    expect(shown("北京 Nordwind 🚀")).toEqual(["han:北京", "sans: Nordwind ", "emoji:🚀"]);
  });

  it("keep a line break in the font of the text before it", () => {
    expect(shown("Nordwind\nAG")).toEqual(["sans:Nordwind\nAG"]);
    expect(runs("\nv=spf1", "mono")).toEqual([{ text: "\nv=spf1", font: "mono" }]);
    expect(shown("北京\nNordwind – AG")).toEqual(["han:北京\n", "sans:Nordwind – AG"]);
  });

  it("name letters without a font instead of drawing a box", () => {
    expect(shown("a\u{13000}b")).toEqual(["sans:a[U+13000]b"]);
  });

  it("keep combining marks with their letter, and drop invisible characters", () => {
    expect(shown("e\u0301")).toEqual(["sans:e\u0301"]);
    expect(shown("👍\u{1f3fd}\ufe0f!")).toEqual(["emoji:👍\u{1f3fd}", "sans:!"]);
    expect(shown("a\u200bb\u00ad")).toEqual(["sans:ab"]);
  });

  // The renderer reverses letters of these scripts and mirrors their brackets, so their runs are in logical order, in
  // the order on paper.
  it("of right-to-left scripts are in visual order", () => {
    expect(shown("GmbH שלום עולם x")).toEqual(["sans:GmbH ", "hebrew:שלום_עולם", "sans: x"]);
    expect(shown("شركة (2024) المثال")).toEqual([
      "arabic:المثال",
      "sans:_(",
      "sans:2024",
      "sans:)",
      "arabic:شركة_",
    ]);
  });

  it("of such scripts without a font are left-to-right code points", () => {
    expect(shown("a \u0710\u0712 b")).toEqual(["sans:a ", "sans:[U+0710][U+0712]", "sans: b"]);
  });

  it("mirror brackets that the renderer does not mirror", () => {
    expect(shown("שלום (עולם)")).toEqual(["sans:(", "hebrew:עולם", "sans:)", "hebrew:שלום_"]);
  });
});
