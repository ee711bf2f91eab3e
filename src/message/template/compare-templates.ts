import { structuredPatch } from "diff";
import type { TemplateSource } from "./template.ts";

/** Maximum of listed differences: the time grows with the square of their number. */
const MAX_DIFFERENT_LINES = 1_000;
/** Lines of both texts of a field: reading takes a microsecond each, and comparing more. */
const MAX_LINES = 50_000;
/** Limit for all fields together: comparing blocks the process, and repeated lines take longest. */
const MAX_COMPARE_MS = 250;
/** Number of context lines. */
const CONTEXT_LINES = 3;

export interface DifferenceLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** The text ends with this line, without a line break. */
  readonly unterminated: boolean;
}

export interface DifferenceHunk {
  /** Number of the first line in each text, counted from 1. */
  readonly beforeLine: number;
  readonly afterLine: number;
  readonly lines: readonly DifferenceLine[];
}

export interface FieldDifference {
  readonly field: "from" | "subject" | "html" | "text" | "variables";
  /** Too many lines differ: `hunks` is empty. */
  readonly tooDifferent: boolean;
  readonly hunks: readonly DifferenceHunk[];
}

/** The differing fields of two templates, line by line; each variable is one line. */
export function compareTemplates(before: TemplateSource, after: TemplateSource): FieldDifference[] {
  const former = fieldsOf(before);
  const untilMs = performance.now() + MAX_COMPARE_MS;
  return fieldsOf(after).flatMap(([field, text], at) => {
    const formerText = former[at]?.[1] ?? "";
    if (text === formerText) return [];
    const hunks = hunksBetween(formerText, text, untilMs);
    return [{ field, tooDifferent: hunks === undefined, hunks: hunks ?? [] }];
  });
}

function fieldsOf(template: TemplateSource): (readonly [FieldDifference["field"], string])[] {
  const { from = "", subject, html = "", text = "", variables } = template;
  const lines = variables.map(({ name, type, fallback }) => JSON.stringify({ name, type, fallback }));
  return [
    ["from", from],
    ["subject", subject],
    ["html", html],
    ["text", text],
    ["variables", lines.join("\n")],
  ];
}

/** undefined: there are too many lines, or too many of them differ. */
function hunksBetween(before: string, after: string, untilMs: number): DifferenceHunk[] | undefined {
  const timeout = Math.floor(untilMs - performance.now());
  if (timeout <= 0 || linesOf(before) + linesOf(after) > MAX_LINES) return undefined;
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_DIFFERENT_LINES, timeout };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks.map(({ oldStart, newStart, lines }) => ({
    beforeLine: oldStart,
    afterLine: newStart,
    lines: lines.flatMap((line, at) => {
      const kind = kinds[line.charAt(0)];
      // The library's marker for a text without a line break at its end.
      if (kind === undefined) return [];
      return [{ kind, text: line.slice(1), unterminated: lines[at + 1]?.startsWith("\\") ?? false }];
    }),
  }));
}

function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const kinds: Readonly<Record<string, DifferenceLine["kind"]>> = { " ": "same", "-": "removed", "+": "added" };
