import { stripVTControlCharacters } from "node:util";
import type { Paint } from "./paint.ts";
import { printable } from "./text.ts";

/** Combining marks and joiners, which have no width. */
const NO_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200d]/u;
/** Scripts and pictures with a width of two columns (UAX 11: wide). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u;

/** Width of a text in terminal columns, without color sequences. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return width;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Aligns cells in columns, two blanks apart, without blanks at the end of a line. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Facts of one resource, a line each, without empty ones. */
export function factLines(
  paint: Paint,
  facts: readonly (readonly [fact: string, value: string])[],
): string[] {
  const given = facts.filter(([, value]) => value !== "");
  return alignRows(given.map(([fact, value]) => [`  ${paint("dim", fact)}`, printable(value)]));
}

/** A table with a heading, or a sentence if there are no rows. */
export function table(
  paint: Paint,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string {
  if (rows.length === 0) return none;
  const [first = "", ...rest] = alignRows([heading, ...rows]);
  return [paint("bold", first), ...rest].join("\n");
}
