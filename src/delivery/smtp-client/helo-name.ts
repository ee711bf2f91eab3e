import { isIP } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";
import { hostName } from "../../dns/names.ts";
import { isAscii } from "../../message/characters.ts";

/**
 * What to say in EHLO (RFC 5321 section 4.1.1.1): the name that is set, else the machine's when it is of the DNS, else
 * the address that the connection comes from.
 */
export function heloName(configured: string | undefined, localAddress: string): string {
  if (configured !== undefined) {
    const name = hostName(isAscii(configured) ? configured : domainToASCII(configured));
    if (name !== undefined) return name;
    const address = configured.replace(/^\[(?:IPv6:)?|\]$/gi, "");
    if (isIP(address) !== 0) return addressLiteral(address);
  }
  const machine = hostName(hostname());
  return machine?.includes(".") ? machine : addressLiteral(localAddress);
}

/** RFC 5321 section 4.1.3. */
function addressLiteral(address: string): string {
  const plain = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(plain) === 6 ? `[IPv6:${plain}]` : `[${isIP(plain) === 4 ? plain : "127.0.0.1"}]`;
}
