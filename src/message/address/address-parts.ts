import { domainToASCII, domainToUnicode } from "node:url";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { isAscii } from "../characters.ts";
import { type AddressFault, addressFault } from "./address-fault.ts";

/** A parsed part, and the position in the input after its last character. */
export type Part = { readonly ok: true; readonly value: string; readonly end: number } | AddressFault;

// RFC 5321 section 4.5.3.1.1; RFC 1035 section 2.3.4 (255 octets on the wire are 253 in text).
const MAX_LOCAL_OCTETS = 64;
const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** Length of a domain in Unicode, which exceeds its A-labels only by characters that UTS 46 drops. */
const MAX_DOMAIN_INPUT = 1_000;

const ATEXT = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+$/u;
/** Spaces, format characters, lone surrogates, private use: invisible and confusing. */
const INVISIBLE = /[\p{Z}\p{Cf}\p{Cs}\p{Co}]/u;
/** As above, except ZWNJ and ZWJ, which the spelling of some domains needs: UTS 46 checks their context. */
const INVISIBLE_IN_DOMAIN = /[\p{Z}\p{Cs}\p{Co}]|(?![\u200c\u200d])\p{Cf}/u;
const NOT_IN_DOMAIN = /[ -,/:-@[-`{-~]/;
const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** Text that the URL standard reads as the end of an IPv4 address. */
const NUMERIC_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Reads the local part at the start of `text`, a dot-atom (RFC 5322 section 3.2.3), up to the "@". */
export function readDotAtom(text: string): Part {
  // RFC 5322 section 3.4: a group has a name, a colon, addresses, and a semicolon at its end.
  if (text.includes(":") && text.trimEnd().endsWith(";")) {
    return addressFault("address.group", say("groups_not_accepted_give_exactly_one"));
  }
  const at = text.indexOf("@");
  const local = at === -1 ? text : text.slice(0, at);
  const fault = misplacedSpecial(local);
  if (fault) return fault;
  if (at === -1) return addressFault("address.missing_at", say("no_at"));
  if (local === "") return addressFault("address.missing_local_part", say("nothing_before_at"));
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) {
    return invalidLocal(say("part_before_starts_ends_dot_two"));
  }
  if (!ATEXT.test(local.replaceAll(".", "")) || INVISIBLE.test(local)) {
    return invalidLocal(say("part_before_contains_character_not_allowed"));
  }
  return limitLocal(local, at);
}

/** Reads a quoted local part (RFC 5322 section 3.2.4). Unnecessary quotes are removed. */
export function readQuotedLocal(text: string): Part {
  const quoted = readQuotedString(text);
  if (!quoted.ok) return quoted;
  if (text[quoted.end] !== "@") {
    return addressFault("address.unbalanced", say("closing_quote_not_followed_address"));
  }
  const { value } = quoted;
  if (value === "") return addressFault("address.missing_local_part", say("nothing_before_at"));
  if (INVISIBLE.test(value.replaceAll(" ", ""))) {
    return invalidLocal(say("part_before_contains_invisible_character"));
  }
  const isDotAtom = value.split(".").every((atom) => ATEXT.test(atom));
  return limitLocal(isDotAtom ? value : `"${value.replace(/["\\]/g, "\\$&")}"`, quoted.end);
}

/** Reads the quoted string at the start of `text`; the value has no quotes and escapes. */
export function readQuotedString(text: string): Part {
  let value = "";
  let from = 1;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '"') return { ok: true, value: value + text.slice(from, i), end: i + 1 };
    if (text[i] !== "\\") continue;
    value += text.slice(from, i);
    from = ++i;
  }
  return addressFault("address.unbalanced", say("quote_not_closed"));
}

/** Reads the domain after the "@": a name of two labels or more, with U-labels converted to A-labels by UTS 46. */
export function readDomain(text: string): Part {
  if (text === "") return addressFault("address.missing_domain", say("nothing_after_at"));
  if (text.length > MAX_DOMAIN_INPUT) return domainTooLong();
  if (text.startsWith("[")) {
    return addressFault("address.domain_literal", say("addresses_ip_address_not_accepted_give"));
  }
  const fault = misplacedSpecial(text);
  if (fault) return fault;
  // Checked before the conversion, which would silently drop invisible characters and decode "%2e".
  if (NOT_IN_DOMAIN.test(text) || INVISIBLE_IN_DOMAIN.test(text)) {
    return invalidDomain(say("domain_contains_character_no_domain_name"));
  }
  const isPlain = isAscii(text) && !/xn--/i.test(text);
  const domain = isPlain ? text.toLowerCase() : domainToASCII(text);
  if (domain === "") return invalidDomain(say("domain_not_valid_internationalised_name"));
  if (domain.length > MAX_DOMAIN_LENGTH) return domainTooLong();
  return checkLabels(domain);
}

function checkLabels(domain: string): Part {
  const labels = domain.split(".");
  for (const label of labels) {
    if (label === "") return invalidDomain(say("domain_starts_ends_dot_two_row"));
    if (label.length > MAX_LABEL_LENGTH) {
      return addressFault(
        "address.domain_too_long",
        say("label_domain_exceeds_characters", { max: MAX_LABEL_LENGTH }),
      );
    }
    if (!LDH_LABEL.test(label)) return invalidDomain(say("label_domain_starts_ends_hyphen"));
    // Versions of Node.js accept different names: an A-label must encode a name that ASCII cannot write.
    if (label.startsWith("xn--") && isAscii(domainToUnicode(label))) {
      return invalidDomain(say("label_domain_not_valid_internationalised_one"));
    }
    // RFC 5891 section 4.2.3.1: a hyphen pair at this position is reserved for A-labels.
    if (label.startsWith("--", 2) && !label.startsWith("xn")) {
      return invalidDomain(say("label_domain_hyphens_third_fourth_place"));
    }
  }
  if (labels.length < 2) {
    return addressFault("address.domain_single_label", say("domain_no_dot_give_fully_qualified"));
  }
  if (NUMERIC_LABEL.test(labels.at(-1) ?? "")) return invalidDomain(say("domain_ends_number"));
  return { ok: true, value: domain, end: domain.length };
}

/** RFC 6068: a link to an address instead of the address. */
export function linkFault(text: string): AddressFault | undefined {
  if (!/^\s*mailto:/i.test(text)) return undefined;
  return addressFault("address.link", say("text_link_leave_mailto_out_give"));
}

/** Detects the characters of a link, a list, a group, a comment or a single bracket. */
function misplacedSpecial(text: string): AddressFault | undefined {
  const link = linkFault(text);
  if (link) return link;
  if (text.includes(":")) {
    return invalidLocal(say("colon_stands_where_none_belongs_write"));
  }
  if (/[,;]/.test(text)) {
    return addressFault("address.several", say("give_exactly_one_address_name_comma"));
  }
  if (/[()]/.test(text)) {
    return addressFault("address.comment", say("comments_parentheses_not_accepted_address"));
  }
  if (/[<>]/.test(text)) {
    return addressFault("address.unbalanced", say("angle_bracket_stands_where_none_belongs"));
  }
  return undefined;
}

function limitLocal(value: string, end: number): Part {
  if (Buffer.byteLength(value) <= MAX_LOCAL_OCTETS) return { ok: true, value, end };
  const message = say("part_before_longer_than_octets", { max: MAX_LOCAL_OCTETS });
  return addressFault("address.local_part_too_long", message);
}

function invalidLocal(message: FaultText): AddressFault {
  return addressFault("address.local_part_invalid", message);
}

function domainTooLong(): AddressFault {
  return addressFault(
    "address.domain_too_long",
    say("domain_longer_than_characters", { max: MAX_DOMAIN_LENGTH }),
  );
}

function invalidDomain(message: FaultText): AddressFault {
  return addressFault("address.domain_invalid", message);
}
