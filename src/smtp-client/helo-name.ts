import { isIP } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";
import { hostName } from "../dns/names.ts";
import { isAscii } from "../message/characters.ts";

const ADVICE =
  "Many receivers refuse such a name or rate it as spam. Set the full name in the PTR record of the sending address, such as mail.example.com.";

/**
 * The name to give in EHLO (RFC 5321 section 4.1.1.1): the name that is set, else the machine's when it is of the DNS, else
 * the address that the connection comes from.
 */
export function heloName(configured: string | undefined, localAddress: string): string {
  return usable(configured) ?? machineName(hostname()) ?? addressLiteral(localAddress);
}

/**
 * The reason why receivers may refuse the name that Hermod gives in EHLO, and the setting to change; undefined: there is none.
 * @param machine the host name of the machine
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
