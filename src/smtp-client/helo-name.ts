import { isIP } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";
import { hostName } from "../dns/names.ts";
import { isAscii } from "../message/characters.ts";

const ADVICE =
  "Many receivers refuse such a name or rate it as spam. Set the full name in the PTR record of the sending address, such as mail.example.com.";

/**
 * Name for EHLO (RFC 5321 section 4.1.1.1): the configured name, otherwise the name of the machine if it is a DNS name,
 * otherwise the source address of the connection.
 */
export function heloName(configured: string | undefined, localAddress: string): string {
  return usable(configured) ?? machineName(hostname()) ?? addressLiteral(localAddress);
}

/**
 * Reason why receivers may refuse Hermod's EHLO name, with the setting to change; undefined: there is none.
 * @param machine host name of the machine
 */
export function heloNameWarning(configured: string | undefined, machine = hostname()): string | undefined {
  const name = usable(configured);
  if (name !== undefined)
    return /[.[]/.test(name) ? undefined : `HERMOD_HELO_NAME: ${JSON.stringify(name)} has no dot. ${ADVICE}`;
  const own = machineName(machine);
  const ignored =
    configured === undefined
      ? ""
      : `${JSON.stringify(configured)} is neither a host name nor an address and is ignored. `;
  if (own !== undefined)
    return ignored === "" ? undefined : `HERMOD_HELO_NAME: ${ignored}Hermod gives ${own} in EHLO.`;
  return `HERMOD_HELO_NAME: ${ignored}The machine's name ${JSON.stringify(machine)} has no dot, so Hermod gives its address in EHLO. ${ADVICE}`;
}

function usable(configured: string | undefined): string | undefined {
  if (configured === undefined) return undefined;
  const name = hostName(isAscii(configured) ? configured : domainToASCII(configured));
  if (name !== undefined) return name;
  const address = configured.replace(/^\[(?:IPv6:)?|\]$/gi, "");
  return isIP(address) === 0 ? undefined : addressLiteral(address);
}

function machineName(machine: string): string | undefined {
  const name = hostName(machine);
  return name?.includes(".") ? name : undefined;
}

/** RFC 5321 section 4.1.3. */
function addressLiteral(address: string): string {
  const plain = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(plain) === 6 ? `[IPv6:${plain}]` : `[${isIP(plain) === 4 ? plain : "127.0.0.1"}]`;
}
