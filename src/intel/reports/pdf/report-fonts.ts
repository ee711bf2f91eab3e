import { fileURLToPath } from "node:url";
import { openSync } from "fontkit";
import { programFile } from "../../../shared/program-file.ts";

/** Where the build puts them (scripts/bundle.js), beside the bundled thread. */
const FOLDER = programFile("fonts/");

/** By the names that documents use. Those of scripts with many letters have one weight, for their size. */
const FILES = {
  sans: { normal: "sans.ttf", bold: "sans-bold.ttf" },
  mono: { normal: "mono.ttf", bold: "mono.ttf" },
  arabic: { normal: "arabic.ttf", bold: "arabic-bold.ttf" },
  hebrew: { normal: "hebrew.ttf", bold: "hebrew-bold.ttf" },
  thai: { normal: "thai.ttf", bold: "thai.ttf" },
  symbols: { normal: "symbols.ttf", bold: "symbols-bold.ttf" },
  han: { normal: "han.otf", bold: "han.otf" },
  hangul: { normal: "hangul.otf", bold: "hangul.otf" },
  emoji: { normal: "emoji.ttf", bold: "emoji.ttf" },
} as const;
export type FontName = keyof typeof FILES;

/** Whom a letter is looked for when the text's own font lacks it, the first that has it. */
const FALLBACKS: readonly FontName[] = [
  "arabic",
  "hebrew",
  "thai",
  "symbols",
  "han",
  "hangul",
  "emoji",
  "sans",
];

export interface ReportFonts {
  readonly folder: string;
  /** As pdfmake takes them. */
  readonly files: Readonly<Record<string, Readonly<Record<"normal" | "bold", string>>>>;
  /** @returns undefined where none of the fonts has it */
  fontOf(codePoint: number, preferred: FontName): FontName | undefined;
}

/** Fonts that are opened when a text needs them: most reports need the first two. */
export function openReportFonts(): ReportFonts {
  const pathOf = (file: string) => fileURLToPath(new URL(file, FOLDER));
  const opened = new Map<FontName, ReturnType<typeof openSync>>();
  const known = new Map<string, FontName | undefined>();
  const has = (name: FontName, codePoint: number) => {
    const font = opened.get(name) ?? openSync(pathOf(FILES[name].normal));
    opened.set(name, font);
    return font.hasGlyphForCodePoint(codePoint);
  };
  return {
    folder: fileURLToPath(FOLDER),
    files: Object.fromEntries(
      Object.entries(FILES).map(([name, { normal, bold }]) => [
        name,
        { normal: pathOf(normal), bold: pathOf(bold) },
      ]),
    ),
    fontOf: (codePoint, preferred) => {
      const key = `${preferred} ${codePoint}`;
      if (!known.has(key))
        known.set(
          key,
          [preferred, ...FALLBACKS].find((name) => has(name, codePoint)),
        );
      return known.get(key);
    },
  };
}
