import { createHash } from "node:crypto";
import type { ReportInputs } from "./report-inputs.ts";

/** The SHA-256 of a report's inputs, without the report's own id and time. */
export function hashInputs({ id: _, generatedAt: __, ...facts }: ReportInputs): string {
  return sha256(canonicalText(facts));
}

/**
 * The same text for the same value: sorted names, times as in JSON, without undefined fields. Lists of objects are
 * sorted too, because a database returns them in any order. Each entry is replaced with its hash, so that memory
 * never holds one text of all entries.
 */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) {
    const isOfObjects = value.some((entry) => typeof entry === "object" && entry !== null);
    const entries = value.map((entry) => (isOfObjects ? sha256(canonicalText(entry)) : canonicalText(entry)));
    return `[${(isOfObjects ? entries.sort() : entries).join()}]`;
  }
  if (typeof value !== "object" || value === null || value instanceof Date)
    return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join()}}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
