import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

/** Controls, which could move the cursor or retitle the terminal, and marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from elsewhere, such as a subject or a server's reply, made safe for one line of a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/** Text of several lines from elsewhere, made safe for a terminal: what is unprintable stands as U+FFFD. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(UNPRINTABLE, (run) => run.replace(/[^\t]/g, "\ufffd")))
    .join("\n");
}

/** At most this many characters, the last an ellipsis where it was longer. */
export function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}…`;
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

/** A span as `0.18s`, `42s`, `5m 2s` or `1d 3h`: its two largest units. */
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
