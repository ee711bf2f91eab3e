import { parseAddress } from "../../message/address/addresses.ts";
import { isAscii } from "../../message/characters.ts";
import { parsePathCommand } from "./command-path.ts";
import { type Reply, reply } from "./reply.ts";
import { decodeXtext } from "./xtext.ts";

/** Parsed RCPT command, with the field names of the core's EnvelopeRecipient. */
export interface Recipient {
  readonly address: string;
  /** NOTIFY (RFC 3461 section 4.1), in lower case; empty: absent. */
  readonly notify: readonly string[];
  /** ORCPT (RFC 3461 section 4.2), decoded; empty: absent. */
  readonly originalRecipient: string;
}

type Parameters = ReadonlyMap<string, string | true>;

const NOTICES = new Set(["success", "failure", "delay"]);
/** RFC 3461 section 4.2, including the address type. */
const MAX_ORIGINAL_RECIPIENT = 500;
/** addr-type is an atom such as `rfc822` or, from RFC 6533, `utf-8`. */
const ORIGINAL_RECIPIENT = /^([!#$%&'*+\-/=?^_`{|}~A-Za-z0-9]+);(.+)$/;
const KNOWN = new Set(["NOTIFY", "ORCPT"]);

/** Parses `RCPT TO:<…> …`. A reply gives the reason of a refusal. */
export function readRcptCommand(line: string, smtpUtf8: boolean): Recipient | Reply {
  const command = parsePathCommand("RCPT TO", line);
  if (!command) return reply(501, "5.5.4", "Syntax: RCPT TO:<address>, with each parameter at most once");
  const { address: path, parameters } = command;
  const unknown = [...parameters.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return reply(555, "5.5.4", `The parameter ${unknown} is not supported`);
  const parsed = parseAddress(path);
  if (!parsed.ok) return reply(553, "5.1.3", parsed.message.text);
  if (!isAscii(path) && !smtpUtf8) {
    return reply(553, "5.6.7", "An address with non-ASCII characters requires SMTPUTF8 in MAIL");
  }
  const notify = notifyOf(parameters);
  if (!notify) {
    return reply(501, "5.5.4", "NOTIFY must be NEVER alone, or one or more of SUCCESS, FAILURE and DELAY");
  }
  const originalRecipient = originalRecipientOf(parameters);
  if (originalRecipient === undefined) {
    return reply(501, "5.5.4", "ORCPT must be an address type, a semicolon and the address as xtext");
  }
  return { address: parsed.address, notify, originalRecipient };
}

function notifyOf(parameters: Parameters): readonly string[] | undefined {
  const value = parameters.get("NOTIFY");
  if (value === undefined) return [];
  const words = String(value).toLowerCase().split(",");
  if (words.length === 1 && words[0] === "never") return words;
  return words.every((word) => NOTICES.has(word)) && new Set(words).size === words.length ? words : undefined;
}

function originalRecipientOf(parameters: Parameters): string | undefined {
  const value = parameters.get("ORCPT");
  if (value === undefined) return "";
  if (value === true || value.length > MAX_ORIGINAL_RECIPIENT) return undefined;
  const [, type, xtext] = ORIGINAL_RECIPIENT.exec(value) ?? [];
  if (type === undefined || xtext === undefined) return undefined;
  // Non-ASCII characters are unencoded in the utf-8 type, which only SMTPUTF8 sessions may use (RFC 6533 section 3).
  const address = isAscii(xtext) ? decodeXtext(xtext) : type.toLowerCase() === "utf-8" ? xtext : undefined;
  return address === undefined ? undefined : `${type.toLowerCase()};${address}`;
}
