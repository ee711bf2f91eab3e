import bidiFactory from "bidi-js";
import type { FontName, ReportFonts } from "./report-fonts.ts";

/** A piece of text with letters of one font. */
export interface TextRun {
  readonly text: string;
  readonly font: FontName;
}

export type WriteRuns = (text: string, preferred?: FontName) => TextRun[];

interface Run extends TextRun {
  /** Odd: right-to-left. */
  readonly level: number;
}

/** Characters without a glyph of their own. They follow the preceding letter, or are removed. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/**
 * The renderer reverses a whole run with any of these letters, including digits of these scripts, and mirrors its
 * brackets.
 */
const TURNED_WHERE_DRAWN = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
/** Letters that every text font has and no script reorders. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/**
 * Splits texts into runs by font, in visual order: the renderer supports neither font fallback nor right-to-left
 * scripts (UAX #9). A letter without a font becomes its code point, `[U+1234]`.
 */
export function createWriteRuns(fonts: Pick<ReportFonts, "fontOf">): WriteRuns {
  const bidi = bidiFactory();

  /** Null: the letter is removed. Undefined: no font has it. */
  function fontOf(letter: string, preferred: FontName, last: Run | undefined): FontName | null | undefined {
    const code = letter.codePointAt(0) ?? 0;
    // A line break is not drawn. A font lookup for it would load the fonts of large scripts.
    if (letter === "\n") return last?.font ?? preferred;
    if (!INVISIBLE.test(letter)) return fonts.fontOf(code, preferred);
    return last && fonts.fontOf(code, last.font) === last.font ? last.font : null;
  }

  /** The text in drawing order, so that it appears according to its level. */
  function drawn({ text, level }: Run): string {
    const isLeftward = level % 2 === 1;
    // Otherwise words would be set from left to right.
    const whole = isLeftward ? text.replaceAll(" ", "\u00a0") : text;
    if (TURNED_WHERE_DRAWN.test(text) === isLeftward) return whole;
    const letters = [...whole].reverse();
    return (isLeftward ? letters.map((letter) => bidi.getMirroredCharacter(letter) ?? letter) : letters).join(
      "",
    );
  }

  return (text, preferred = "sans") => {
    if (PLAIN.test(text)) return [{ text, font: preferred }];
    const levels = TURNED_WHERE_DRAWN.test(text) ? bidi.getEmbeddingLevels(text, "ltr").levels : undefined;
    const runs: Run[] = [];
    let at = 0;
    for (const letter of text) {
      const own = levels?.[at] ?? 0;
      at += letter.length;
      const last = runs.at(-1);
      // A space within right-to-left words would begin a new run and separate them.
      const isWithin = letter === " " && own % 2 === 1 && last?.level === own;
      const font = fontOf(letter, isWithin ? last.font : preferred, last);
      if (font === null) continue;
      const written = font === undefined ? codePoint(letter) : letter;
      const name = font ?? preferred;
      // A code point is always left-to-right.
      const level = font === undefined ? own + (own % 2) : own;
      if (last && last.font === name && last.level === level)
        runs[runs.length - 1] = { ...last, text: last.text + written };
      else runs.push({ text: written, font: name, level });
    }
    return visualOrder(runs).map((run) => ({ text: drawn(run), font: run.font }));
  };
}

/** Rule L2: from the highest level down, runs of this level or a higher one are reversed. */
function visualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end++;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

function codePoint(letter: string): string {
  return `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
