import { say } from "../../shared/fault-text.ts";
import { hasBidiControl, hasControl, hasLoneSurrogate, isAscii, looksEncoded } from "../characters.ts";
import type { Mailbox } from "../content.ts";
import { type AddressFault, addressFault } from "./address-fault.ts";
import { addressKey } from "./address-key.ts";
import {
  linkFault,
  type Part,
  readDomain,
  readDotAtom,
  readQuotedLocal,
  readQuotedString,
} from "./address-parts.ts";

export type AddressResult = { readonly ok: true; readonly address: string } | AddressFault;
export type MailboxResult = { readonly ok: true; readonly mailbox: Mailbox } | AddressFault;

/** Maximum length within the 256 octets of an SMTP path with its brackets (RFC 5321 section 4.5.3.1.3, erratum 1690). */
const MAX_ADDRESS_OCTETS = 254;
const MAX_DISPLAY_NAME_OCTETS = 320;
/** Longer input is refused unread; every character of the longest mailbox may be escaped within this length. */
const MAX_INPUT_LENGTH = 2_000;

/** The specials of RFC 5322 section 3.2.3 except the dot, which unquoted names use ("John Q. Public"). */
const NAME_SPECIAL = /[()<>[\]:;@\\,"]/;

/**
 * Reads one mailbox: `a@b.c`, `Name <a@b.c>` or `"Quoted, Name" <a@b.c>`, with the name in plain UTF-8. The domain is returned
 * in lower case and as A-labels, everything in NFC. Refused: lists, groups, comments, address literals, single-label domains,
 * encoded words, and spaces around it. Linear in the input, which may be hostile.
 */
export function parseMailbox(input: string): MailboxResult {
  const refusal = refuseUnread(input);
  if (refusal) return refusal;
  if (!input.endsWith(">")) {
    const result = readAddress(input);
    return result.ok ? { ok: true, mailbox: { address: result.address } } : result;
  }
  const name = readName(input);
  if (!name.ok) return name;
  const result = readAddress(input.slice(name.end, -1));
  if (!result.ok) return result;
  const { address } = result;
  return { ok: true, mailbox: name.value === "" ? { address } : { address, displayName: name.value } };
}

/** Reads a bare address, `local@domain`, by the rules of `parseMailbox`. */
export function parseAddress(input: string): AddressResult {
  return refuseUnread(input) ?? readAddress(input);
}

export function sameAddress(a: string, b: string): boolean {
  return addressKey(a) === addressKey(b);
}

/** The domain of an address, in lower case. It starts after the last "@": a quoted local part may have others. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** True if only hosts with SMTPUTF8 (RFC 6531) accept the address. A domain in A-labels needs none. */
export function needsSmtpUtf8(address: string): boolean {
  return !isAscii(address);
}

/** The mailbox for people; `parseMailbox` reads it back. For a header, see `composeMime`. */
export function formatMailbox({ address, displayName = "" }: Mailbox): string {
  if (displayName === "") return address;
  const name = NAME_SPECIAL.test(displayName) ? `"${displayName.replace(/["\\]/g, "\\$&")}"` : displayName;
  return `${name} <${address}>`;
}

function readAddress(input: string): AddressResult {
  const text = input.normalize("NFC");
  const local = text.startsWith('"') ? readQuotedLocal(text) : readDotAtom(text);
  if (!local.ok) return local;
  const domain = readDomain(text.slice(local.end + 1));
  if (!domain.ok) return domain;
  const address = `${local.value}@${domain.value}`;
  if (Buffer.byteLength(address) <= MAX_ADDRESS_OCTETS) return { ok: true, address };
  return addressFault("address.too_long", say("address_longer_than_octets", { max: MAX_ADDRESS_OCTETS }));
}

/** Reads the name before the "<" and returns the position after it. */
function readName(input: string): Part {
  const part = input.startsWith('"') ? readQuotedName(input) : readPlainName(input);
  if (!part.ok) return part;
  const value = part.value.trim().normalize("NFC");
  if (looksEncoded(value)) {
    return addressFault("address.display_name_invalid", say("write_name_plain_utf_8_not"));
  }
  if (Buffer.byteLength(value) > MAX_DISPLAY_NAME_OCTETS) {
    const message = say("name_longer_than_octets", { max: MAX_DISPLAY_NAME_OCTETS });
    return addressFault("address.display_name_too_long", message);
  }
  return { ok: true, value, end: part.end };
}

function readQuotedName(input: string): Part {
  const quoted = readQuotedString(input);
  if (!quoted.ok) return quoted;
  let at = quoted.end;
  while (input[at] === " ") at++;
  if (input[at] === "<") return { ...quoted, end: at + 1 };
  return addressFault("address.unbalanced", say("quoted_name_not_followed_address"));
}

function readPlainName(input: string): Part {
  const bracket = input.indexOf("<");
  if (bracket === -1) return addressFault("address.unbalanced", say("angle_bracket_unopened"));
  const value = input.slice(0, bracket);
  const special = NAME_SPECIAL.exec(value)?.[0];
  if (special === undefined) return { ok: true, value, end: bracket + 1 };
  const link = linkFault(value);
  if (link) return link;
  if (/\([^()]*\)/.test(value)) {
    return addressFault("address.comment", say("comments_parentheses_not_accepted"));
  }
  if (special === "," || special === ";") {
    return addressFault("address.several", say("give_exactly_one_address_name_comma"));
  }
  const quoted = value.trim().replace(/["\\]/g, "\\$&");
  return addressFault("address.display_name_invalid", say("name_unquoted", { characters: special, quoted }));
}

function refuseUnread(input: string): AddressFault | undefined {
  if (input === "") return addressFault("address.empty", say("address_empty"));
  if (input.length > MAX_INPUT_LENGTH) {
    return addressFault("address.too_long", say("address_longer_than_characters", { max: MAX_INPUT_LENGTH }));
  }
  if (hasControl(input)) {
    return addressFault("address.control_character", say("address_contains_line_break_control_character"));
  }
  if (hasBidiControl(input) || hasLoneSurrogate(input)) {
    const message = say("address_contains_characters_change_how_displayed");
    return addressFault("address.forbidden_character", message);
  }
  if (input.trim() !== input) return addressFault("address.whitespace", say("address_starts_ends_space"));
  return undefined;
}
