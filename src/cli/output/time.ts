import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

/** For JSON: ISO 8601 in UTC, or null. */
export function isoTime(at: Timestamp | undefined): string | null {
  return at ? timestampDate(at).toISOString() : null;
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
