import { isIPv4, isIPv6 } from "node:net";
import { isAscii } from "../characters.ts";

/** How a message was received, for its trace (RFC 5321 section 4.4). */
export interface Passage {
  /** Name of the client in EHLO, which is not trustworthy. */
  readonly clientName: string;
  readonly clientAddress: string;
  /** Omits name and address of the client, because they reveal the location of the submitter. */
  readonly hidesClient?: boolean;
  readonly serverName: string;
  /** RFC 3848, RFC 6531 section 4.3. */
  readonly protocol: string;
  /** Id of the message at this server. */
  readonly id: string;
  /** The only recipient; several are not named, so that none learns of another. */
  readonly recipient?: string;
  readonly at: Date;
}

const PROTOCOL = /^(?:SMTP|(?:E|UTF8)SMTPS?A?)$/;
/** Underscores are not allowed, but are in many names of machines. */
const DOMAIN = /^(?=.{1,255}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i;

/** The Received field with its CRLF. It contains no unchecked text of the client, and does not name the key. */
export function receivedField(passage: Passage): string {
  const { serverName, id, recipient, at, hidesClient = false } = passage;
  const protocol = PROTOCOL.test(passage.protocol) ? passage.protocol : "ESMTP";
  const isWritable = recipient !== undefined && (isAscii(recipient) || protocol.startsWith("UTF8"));
  const by = `by ${DOMAIN.test(serverName) ? serverName : "localhost"} with ${protocol} id ${id}`;
  return [
    ...(hidesClient ? [`Received: ${by}`] : [`Received: from ${client(passage)}`, by]),
    ...(isWritable ? [`for <${recipient}>`] : []),
  ]
    .join("\r\n\t")
    .concat(`;\r\n\t${at.toUTCString().replace("GMT", "+0000")}\r\n`);
}

function client({ clientName, clientAddress }: Passage): string {
  const literal = addressLiteral(clientAddress);
  const isName = DOMAIN.test(clientName) && !isIPv4(clientName);
  if (literal === undefined) return isName ? clientName : "unknown";
  return `${isName ? clientName : literal} (${literal})`;
}

/** RFC 5321 section 4.1.3; an IPv4 address over an IPv6 socket is written as IPv4. */
function addressLiteral(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return `[${plain}]`;
  // A zone names a network interface of this machine.
  const [ip = ""] = plain.split("%");
  return isIPv6(ip) ? `[IPv6:${ip}]` : undefined;
}
