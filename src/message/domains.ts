import type { AddressFault } from "./address-fault.ts";
import { readDomain } from "./address-parts.ts";

export type DomainResult = { readonly ok: true; readonly domain: string } | AddressFault;

/** Reads a domain name on its own, under the rules that hold after an address's `@`: A-labels, in lower case. */
export function parseDomain(input: string): DomainResult {
  const result = readDomain(input);
  return result.ok ? { ok: true, domain: result.value.toLowerCase() } : result;
}
