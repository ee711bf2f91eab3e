import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The octets of an IPv4 address, or the hexadecimal digits of an IPv6 address, in reverse order. They precede
 * `in-addr.arpa` and `ip6.arpa` (RFC 1035 section 3.5, RFC 3596 section 2.5) and the zones of blacklists (RFC 5782
 * sections 2.1 and 2.4).
 */
export function reverseLabels(address: string): string {
  const octets = Buffer.from(ipaddr.parse(address).toByteArray());
  const labels = isIP(address) === 4 ? [...octets] : [...octets.toString("hex")];
  return labels.reverse().join(".");
}
