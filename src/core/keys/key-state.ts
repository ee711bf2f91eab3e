import type { KeyDocument } from "../../store/documents.ts";

/** A valid key without a use for this time may be one that no program needs. */
const UNUSED_MS = 30 * 86_400_000;

/**
 * - `active`: the key is valid
 * - `unused`: the key is valid, and was not used for 30 days
 * - `replaced`: another key replaced it, and it is valid until its end
 * - `expired`, `revoked`: the key is invalid
 */
export const keyStates = ["active", "unused", "replaced", "expired", "revoked"] as const;
export type KeyState = (typeof keyStates)[number];

type Times = Pick<KeyDocument, "createdAt" | "lastUsedAt" | "revokedAt" | "expiresAt" | "supersededAt">;

export function stateOfKey(key: Times, now: Date): KeyState {
  if (key.revokedAt) return "revoked";
  if (key.expiresAt && key.expiresAt <= now) return "expired";
  if (key.supersededAt) return "replaced";
  return isUnused(key, now) ? "unused" : "active";
}

export function isUnused({ createdAt, lastUsedAt }: Times, now: Date): boolean {
  return now.getTime() - (lastUsedAt ?? createdAt).getTime() > UNUSED_MS;
}
