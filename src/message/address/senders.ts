import type { AddressFault } from "./address-fault.ts";
import { addressKey } from "./address-key.ts";
import { readDomain } from "./address-parts.ts";
import { parseAddress } from "./addresses.ts";

export type DomainResult = { readonly ok: true; readonly domain: string } | AddressFault;

/** Reads a domain name by the rules for the part after `@`: A-labels, in lower case. */
export function parseDomain(input: string): DomainResult {
  const result = readDomain(input);
  return result.ok ? { ok: true, domain: result.value.toLowerCase() } : result;
}

/** A sender: an address, or all addresses of a domain. `value` is the comparison form. */
export interface SenderName {
  readonly kind: "address" | "domain";
  readonly value: string;
}

export type SenderNameResult = { readonly ok: true; readonly sender: SenderName } | AddressFault;

/** Reads a sender: text with an @ is an address, other text a domain. */
export function parseSender(input: string): SenderNameResult {
  const result = input.includes("@") ? parseAddress(input) : parseDomain(input);
  if (!result.ok) return result;
  if ("address" in result)
    return { ok: true, sender: { kind: "address", value: addressKey(result.address) } };
  return { ok: true, sender: { kind: "domain", value: result.domain } };
}
