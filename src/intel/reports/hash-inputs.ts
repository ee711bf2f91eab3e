import { createHash } from "node:crypto";
import type { ReportInputs } from "./report-inputs.ts";

/** The SHA-256 of the canonical JSON of what a report is made from, without the report's own id and time. */
export function hashInputs({ id: _, generatedAt: __, ...facts }: ReportInputs): string {
  return createHash("sha256").update(canonicalJson(facts)).digest("hex");
}

/**
 * The same text for the same value: names in their order, times as in JSON, what is undefined left out. Lists of objects are put in
 * order too, for a database tells them in any.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    const entries = value.map(canonicalJson);
    const isOfObjects = value.some((entry) => typeof entry === "object" && entry !== null);
    return `[${(isOfObjects ? entries.sort() : entries).join()}]`;
  }
  if (typeof value !== "object" || value === null || value instanceof Date)
    return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}
