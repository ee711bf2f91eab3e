import type { Key, KeyAccess } from "../../api/keys.ts";
import { localMinute } from "../../parts/time.tsx";

/** Values of the form for a key's access. */
export interface AccessValues {
  scope_mode: string;
  scopes: string[];
  senders: string[];
  allowed_addresses: string[];
  /** Local time such as `2030-01-02T09:00`, in the time zone of the browser; empty: never. */
  expires_at: string;
}

export const openAccess: AccessValues = {
  scope_mode: "send_only",
  scopes: [],
  senders: [],
  allowed_addresses: [],
  expires_at: "",
};

export const accessOf = (key: Key): AccessValues => ({
  scope_mode: key.scope_mode,
  scopes: [...key.scopes],
  senders: [...key.senders],
  allowed_addresses: [...key.allowed_addresses],
  expires_at: key.expires_at ? localMinute(key.expires_at) : "",
});

/**
 * Body of a request that sets this access.
 * @param former the expiry to keep if the form shows its minute unchanged
 */
export function accessBody(values: AccessValues, former?: string): KeyAccess {
  const { scope_mode, scopes, senders, allowed_addresses, expires_at } = values;
  const isKept = former !== undefined && localMinute(former) === expires_at;
  const end = isKept ? former : expires_at === "" ? null : new Date(expires_at).toISOString();
  return {
    scope_mode,
    scopes: scope_mode === "restricted" ? scopes : [],
    senders,
    allowed_addresses,
    expires_at: end,
  };
}
