import type { Alert, Severity } from "./alert.ts";

const MAX_LENGTH = 100;
/**
 * Control characters and direction marks, which can mislead readers or break a subject. Joiners of letters and emoji are kept.
 */
const HOSTILE = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}])+/gu;

/** Returns one line that is safe to display anywhere. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(HOSTILE, " ").replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** Line endings of all systems. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/u;
const TAB = "    ";

export interface ClippedLines {
  readonly lines: readonly string[];
  /** Number of omitted characters. */
  readonly more: number;
}

/** Returns lines that are safe to display anywhere, with their indentation. Several empty lines become one. */
export function clippedLines(text: string, most: number, mostLines: number): ClippedLines {
  const all = text
    .split(LINE_END)
    .map((line) => line.replaceAll("\t", TAB).replace(HOSTILE, " ").trimEnd())
    .filter((line, index, lines) => line !== "" || lines[index - 1] !== "");
  if (all[0] === "") all.shift();
  if (all.at(-1) === "") all.pop();
  const lines: string[] = [];
  let [capacity, more] = [most, 0];
  for (const line of all) {
    const characters = [...line];
    const fits = lines.length < mostLines ? Math.min(characters.length, capacity) : 0;
    if (more === 0 && lines.length < mostLines && (fits > 0 || line === ""))
      lines.push(fits === characters.length ? line : characters.slice(0, fits).join(""));
    more += characters.length - fits;
    capacity -= fits;
  }
  return { lines, more };
}

/** Severity at the beginning of a title. */
const TITLE_MARK = /^\[[a-z]+\] /;

/** Replaces the severity in a title. An earlier version kept the severity with which an incident began. */
export function titleWith(severity: Severity, title: string): string {
  return `[${severity}] ${title.replace(TITLE_MARK, "")}`;
}

/** Subject of an incident. It changes only with the severity, because mail clients group mails by subject. */
export function incidentTitle({ severity, eventType, source, message, entityType, entityId }: Alert): string {
  const entity = [entityType, entityId].filter(Boolean).join(" ");
  const behind = entity === "" ? "" : ` (${oneLine(entity, 30)})`;
  const before = `[${severity}] ${oneLine(source, 30)}: `;
  const capacity = MAX_LENGTH - [...before, ...behind].length;
  const what = oneLine(message, Math.max(20, capacity)) || oneLine(eventType, 20);
  return `${before}${what}${behind}`;
}
