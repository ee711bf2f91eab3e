import { createHash } from "node:crypto";
import { fault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";

/** 96 bits: two states of one resource never share a revision by chance. */
const LENGTH = 16;

type StaleCode = "resource.stale" | "template.stale" | "webhook.stale";

/** Means that no resource exists, in an upsert by name. */
const NO_REVISION = "none";

/**
 * Names a state of a resource by its editable content. It follows from the stored document, so documents of earlier
 * releases have one. `content` must not contain values that change without an edit (uses, counts, times).
 * @param content JSON values and dates; the order of names does not matter
 */
export function contentRevision(content: object): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("base64url")
    .slice(0, LENGTH);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/**
 * Refuses a change that is based on another state. Call it in the writing transaction with the state that it has
 * read: an earlier check would accept two concurrent editors.
 * @param ifRevision undefined or empty: any revision
 * @param present undefined: there is no such resource
 * @param code for resources with a specific code
 * @throws Fault with the code
 */
export function checkRevision(
  ifRevision: string | undefined,
  present: string = NO_REVISION,
  code: StaleCode = "resource.stale",
): void {
  if (ifRevision === undefined || ifRevision === "" || ifRevision === present) return;
  throw fault(code, { public: sentenceOf(present), revision: present });
}

function sentenceOf(present: string): FaultText {
  return present === NO_REVISION ? say("resource_gone") : say("resource_changed", { revision: present });
}
