import { createHash } from "node:crypto";
import { type Alert, fieldReader } from "./alert.ts";

/** Fields that identify an alert without a deduplication key. An alert without an entity is identified by its source. */
const ENTITY_FIELDS = ["event_type", "entity_type", "entity_id"] as const;
const SOURCE_FIELDS = ["event_type", "entity_type", "source"] as const;

/** Alert with its deduplication key; missing if its sender gave none. */
export interface Keyed {
  readonly alert: Alert;
  readonly dedupKey?: string | undefined;
  /** Scope of the key, from `dedupScopeOf`; missing for Hermod itself and the operator. */
  readonly dedupScope?: string | undefined;
}

/** @param keyId id of the API key that sent the alert; empty for Hermod itself and the operator */
export function dedupScopeOf(keyId: string, endpoint: string): string | undefined {
  return keyId === "" && endpoint === "" ? undefined : JSON.stringify([keyId, endpoint]);
}

/** Identifies an alert: repeats and the resolution have the same fingerprint. */
export function fingerprintOf({ alert, dedupKey, dedupScope }: Keyed): string {
  if (dedupKey !== undefined)
    return digest(dedupScope === undefined ? ["dedup_key", dedupKey] : ["dedup_key", dedupScope, dedupKey]);
  const fields = alert.entityId === undefined ? SOURCE_FIELDS : ENTITY_FIELDS;
  return digest(fields.map((field) => [field, fieldReader(field)(alert) ?? null]));
}

/**
 * Identifies the incident of a rule that an alert belongs to.
 * @param fields fields by which the rule groups; undefined: one incident per alert; empty: one incident for all
 */
export function groupKeyOf(
  { alert, fingerprint }: { readonly alert: Alert; readonly fingerprint: string },
  fields: readonly string[] | undefined,
): string {
  if (fields === undefined) return fingerprint;
  return digest(fields.map((field) => [field, fieldReader(field)(alert) ?? null]));
}

/** Missing values, empty texts, numbers and numeric texts all differ. */
function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
