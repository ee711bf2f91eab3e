import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Actor } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";

/** Control characters, which could move the cursor or rename the terminal, and marks that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Makes untrusted text, such as a subject or a server's reply, safe for one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/** Makes untrusted text of several lines safe for a terminal: replaces unprintable characters with U+FFFD. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(UNPRINTABLE, (run) => run.replace(/[^\t]/g, "\ufffd")))
    .join("\n");
}

/** Shortens a text to this many characters; the last is an ellipsis if the text was longer. */
export function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** Name of an actor, or its kind; empty: unknown. */
export function actorText(actor: Pick<Actor, "name" | "kind"> | undefined): string {
  return printable(actor?.name || actor?.kind || "");
}

/** For people: `2026-11-21 07:43:01 UTC`, or empty. */
export function plainTime(at: Timestamp | undefined): string {
  return at ? `${timestampDate(at).toISOString().slice(0, 19).replace("T", " ")} UTC` : "";
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
] as const;

/** A duration in its two largest units: `0.18s`, `42s`, `5m 2s` or `1d 3h`. */
export function span(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(2)}s`;
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  parts.push(`${Math.floor(rest / 1000)}s`);
  return parts.slice(0, 2).join(" ");
}
