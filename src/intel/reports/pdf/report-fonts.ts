import { fileURLToPath } from "node:url";
import { openSync } from "fontkit";
import { programFile } from "../../../shared/program-file.ts";

/** Folder of the fonts in the build (scripts/bundle.js), beside the bundled thread. */
const FOLDER = programFile("fonts/");

/** Files by the font names of documents. Large scripts have one weight only, because of their size. */
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

/** Fallback fonts for a letter that the text's own font lacks, in this order. */
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
  /** Files in the format of pdfmake. */
  readonly files: Readonly<Record<string, Readonly<Record<"normal" | "bold", string>>>>;
  /** @returns undefined: none of the fonts has the letter */
  fontOf(codePoint: number, preferred: FontName): FontName | undefined;
}

/** Opens fonts on demand: most reports need only the first two. */
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
