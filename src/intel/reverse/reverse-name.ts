import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { reverseLabels } from "../reverse-labels.ts";

/** Name of the PTR records of an address (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string): string {
  return `${reverseLabels(address)}.${isIP(address) === 4 ? "in-addr" : "ip6"}.arpa`;
}

/** Record type that maps a name to this kind of address. */
export function forwardType(address: string): "A" | "AAAA" {
  return isIP(address) === 4 ? "A" : "AAAA";
}

/** Whether two texts are the same address: IPv6 has many spellings. */
export function isSameAddress(one: string, other: string): boolean {
  return (
    ipaddr.isValid(one) && ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString()
  );
}
