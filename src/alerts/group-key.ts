import { createHash } from "node:crypto";
import { type Alert, fieldReader } from "./alert.ts";

/** What tells alerts about the same thing from others, where nobody names a key: of an alert without an entity, where it comes from. */
const ENTITY_FIELDS = ["event_type", "entity_type", "entity_id"] as const;
const SOURCE_FIELDS = ["event_type", "entity_type", "source"] as const;

/** Of an alert, and the key that its sender gives it; missing: it gives none. */
export interface Keyed {
  readonly alert: Alert;
  readonly dedupKey?: string | undefined;
  /** The source that the key belongs to, `dedupScopeOf`; missing: Hermod itself or the operator. */
  readonly dedupScope?: string | undefined;
}

/** @param keyId of the API key that sent the alert; empty: Hermod itself or the operator sent it */
export function dedupScopeOf(keyId: string, endpoint: string): string | undefined {
  return keyId === "" && endpoint === "" ? undefined : JSON.stringify([keyId, endpoint]);
}

/** The same for alerts that are about the same thing: their repeats, and the word that it is over. */
export function fingerprintOf({ alert, dedupKey, dedupScope }: Keyed): string {
  if (dedupKey !== undefined)
    return digest(dedupScope === undefined ? ["dedup_key", dedupKey] : ["dedup_key", dedupScope, dedupKey]);
  const fields = alert.entityId === undefined ? SOURCE_FIELDS : ENTITY_FIELDS;
  return digest(fields.map((field) => [field, fieldReader(field)(alert) ?? null]));
}

/**
 * The same for alerts that one incident of a rule tells of together.
 * @param fields by which a rule groups; undefined: each thing is an incident of its own; empty: there is one for all
 */
export function groupKeyOf(
  { alert, fingerprint }: { readonly alert: Alert; readonly fingerprint: string },
  fields: readonly string[] | undefined,
): string {
  if (fields === undefined) return fingerprint;
  return digest(fields.map((field) => [field, fieldReader(field)(alert) ?? null]));
}

/** What is missing, what is empty, and texts that look like numbers are all different. */
function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
