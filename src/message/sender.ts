import type { AddressFault } from "./address-fault.ts";
import { addressKey, parseAddress } from "./addresses.ts";
import { parseDomain } from "./domains.ts";

/** Who may send: an address, or everybody of a domain. `value` is the form in which senders are compared. */
export interface SenderName {
  readonly kind: "address" | "domain";
  readonly value: string;
}

export type SenderNameResult = { readonly ok: true; readonly sender: SenderName } | AddressFault;

/** Reads a sender as it is written: what has an @ is an address, anything else a domain. */
export function parseSender(input: string): SenderNameResult {
  const result = input.includes("@") ? parseAddress(input) : parseDomain(input);
  if (!result.ok) return result;
  if ("address" in result)
    return { ok: true, sender: { kind: "address", value: addressKey(result.address) } };
  return { ok: true, sender: { kind: "domain", value: result.domain } };
}
