import { domainToASCII } from "node:url";
import { isAscii } from "../message/characters.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import type { Capabilities } from "./capabilities.ts";
import { type DsnRequest, mailParameters, rcptParameters } from "./dsn-parameters.ts";
import type { MessageData } from "./message-data.ts";
import { SmtpError } from "./smtp-error.ts";

export interface Envelope {
  /** Empty: the null sender. */
  readonly from: string;
  readonly to: readonly string[];
  /** Notices that the sender requests, for servers with the DSN extension. */
  readonly dsn?: DsnRequest;
  /**
   * The message was submitted without SMTPUTF8: octets outside ASCII in its header follow a practice older than RFC
   * 6532, and are sent unchanged. Without this flag they are internationalized, and only SMTPUTF8 carries them.
   */
  readonly legacyHeader?: boolean;
}

/** Conversion required but not supported (RFC 3463 section 3.7): the server accepts only ASCII bodies. */
export const CONVERSION_REQUIRED = "5.6.3";
/** Non-ASCII addresses or a UTF-8 header are not accepted (RFC 6531 section 3.5). */
export const SMTPUTF8_REQUIRED = "5.6.7";

/** Commands of one transaction, each with its line end. */
export interface EnvelopeCommands {
  readonly mail: string;
  readonly rcpt: readonly string[];
}

/** Characters that could end the path or the command early: line ends, NUL and other controls, brackets, spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not get into a command
const UNSAFE = /[\u0000-\u0020<>\u007f-\u00a0\u2028\u2029]/;

/** A quoted local part may contain all of these except control characters (RFC 5321 section 4.1.2, RFC 6531 section 3.3). */
const QUOTED_LOCAL_PART = /^"(?:[ !#-[\]-~\u00a1-\u2027\u202a-\uffff]|\\[ -~])*"(?=@)/;

/**
 * MAIL and RCPT of a message, with the parameters that it needs and the server supports.
 * @throws SmtpError `refusedAs`: the server cannot accept this message
 */
export function envelopeCommands(
  envelope: Envelope,
  data: MessageData,
  offered: Capabilities,
): EnvelopeCommands {
  const from = path(envelope.from, "5.1.7", "mail");
  const to = envelope.to.map((address) => path(address, "5.1.3", "rcpt"));
  if (to.length === 0 || to.includes("")) throw refuse("5.1.3", phrase("server.no_recipient"), "rcpt");
  const { maxSizeBytes } = offered;
  if (maxSizeBytes !== undefined && data.sizeBytes > maxSizeBytes) {
    const limit = phrase("server.size", { size: data.sizeBytes, max: maxSizeBytes });
    throw refuse("5.3.4", limit, "mail");
  }
  const isUtf8Header = data.eightBitHeader && !envelope.legacyHeader;
  const needsUtf8 = isUtf8Header || !isAscii(from) || !to.every(isAscii);
  if (needsUtf8 && !offered.smtpUtf8) {
    const reason = phrase(isUtf8Header ? "server.utf8_header" : "server.utf8_address");
    throw refuse(SMTPUTF8_REQUIRED, reason, "mail");
  }
  if (data.eightBitBody && !offered.eightBitMime) {
    throw refuse(CONVERSION_REQUIRED, phrase("server.ascii_body"), "mail");
  }
  let mail = `MAIL FROM:<${from}>`;
  if (offered.size) mail += ` SIZE=${data.sizeBytes}`;
  // The effect on a non-ASCII header by a server without 8BITMIME is unknown. All other clients send it, too.
  if (data.eightBit && offered.eightBitMime) mail += " BODY=8BITMIME";
  if (needsUtf8) mail += " SMTPUTF8";
  const dsn = offered.dsn ? envelope.dsn : undefined;
  if (dsn) mail += mailParameters(dsn);
  const more = dsn ? rcptParameters(dsn) : "";
  return { mail: `${mail}\r\n`, rcpt: to.map((address) => `RCPT TO:<${address}>${more}\r\n`) };
}

/** The address between the brackets, with its domain in A-labels if possible. */
function path(address: string, enhancedStatusCode: string, phase: "mail" | "rcpt"): string {
  if (UNSAFE.test(address.replace(QUOTED_LOCAL_PART, "quoted"))) {
    throw refuse(enhancedStatusCode, phrase("server.bad_address"), phase);
  }
  if (isAscii(address)) return address;
  const at = address.lastIndexOf("@");
  const domain = domainToASCII(address.slice(at + 1));
  return at < 0 || domain === "" ? address : `${address.slice(0, at)}@${domain}`;
}

function refuse(refusedAs: string, reason: Phrase, phase: "mail" | "rcpt"): SmtpError {
  return new SmtpError(reason, { phase, refusedAs });
}
