import { domainToUnicode } from "node:url";
import { type FaultText, say } from "../../shared/fault-text.ts";
import {
  hasBidiControl,
  hasControlExceptTab,
  isAscii,
  looksEncoded,
  withoutControls,
} from "../characters.ts";
import { decodeWords, hasUnknownCharset } from "../header/decode-words.ts";
import { encodeMailboxes } from "../header/encode-header.ts";
import { type SourceFault, sourceFault } from "../header/source-lines.ts";
import { addressFault } from "./address-fault.ts";
import { domainOf, type MailboxResult, parseAddress, parseMailbox, sameAddress } from "./addresses.ts";

export type FromField = { readonly ok: true; readonly address: string } | SourceFault;

/** Fields that name a sender; refusals contain the name. */
export type FromFieldName = "From" | "Sender" | "Resent-From" | "Resent-Sender";

/** Everything except white space and the specials of RFC 5322 section 3.2.3 without the dot, which unquoted names have. */
const ATOMS = String.raw`[^ \t()<>[\]:;@\\,"]+`;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** Plain words, which all readers interpret alike. */
const COMMENT = String.raw`\([^()<>[\]:;@\\,"]*\)`;
/** Names have comments after words, for example `Ada (Sales)`. */
const NAME = `(?:${ATOMS}|${QUOTED})(?:[ \\t]+(?:${ATOMS}|${QUOTED}|${COMMENT}))*`;
/** After the address: the form in which old programs write the name. */
const LAST_COMMENT = `(?:[ \\t]+(${COMMENT}))?`;
const NAME_AND_ADDRESS = new RegExp(`^(?:(${NAME})[ \\t]*)?<([^<>]*)>${LAST_COMMENT}$`);
const ADDRESS = new RegExp(`^([^ \\t<>()]+)${LAST_COMMENT}$`);
const OUTER_SPACE = /^[ \t]+|[ \t]+$/g;
/** Some readers treat it as the end of the header. */
const EMPTY_LINE = /\r\n[ \t]*(?:\r\n|$)/;
const MISREAD_IN_FOLD = /[@<>()[\];:\\]/;
const QUOTED_AND_FOLDED = /"(?:[^"\\]|\\[\s\S])*"/g;
const ESCAPE = /\\(.)/g;

/** The longest encoded name has less than half of this length. */
const MAX_LENGTH = 4_000;

/** An address in the form that people and lenient readers find in a text. */
const ADDRESS_IN_TEXT = /[^\s@<>()",;:]{1,64}\s{0,9}@\s{0,9}[^\s@<>()",;:]{1,253}\.[^\s@<>()",;:]+/gu;
/** Older readers (IDNA 2003) convert these to other domains. */
const DEVIATION = /[\u00df\u03c2\u200c\u200d]/;

/**
 * Reads the only address of From, or of another field that names a sender (RFC 5322 section 3.6.2). It accepts only forms that
 * every reader interprets alike, because the displayed sender must be the verified one: an address alone or in brackets after a
 * name, and plain comments after both. Refused: several addresses, groups, routes, other comments, quoted local parts, an
 * unquoted "@" in the name or one hidden in encoded words, invisible or confusable characters in critical positions, and a
 * domain that is not in DNS form.
 * @param folded value after the colon, with its folds
 */
export function readFromField(field: FromFieldName, folded: string): FromField {
  const read = readMailbox(folded);
  return "address" in read ? { ok: true, address: read.address } : sourceFault(read.unclear(field));
}

type Reading = { readonly address: string } | Unclear;
/** Text of a refusal for an unclear sender, by the name of the field. */
type Unclear = { readonly unclear: (name: FromFieldName) => FaultText };

function readMailbox(folded: string): Reading {
  if (folded.length > MAX_LENGTH)
    return { unclear: (name) => say("from_too_long", { name, max: MAX_LENGTH }) };
  if (EMPTY_LINE.test(folded)) return { unclear: (name) => say("from_empty_line", { name }) };
  if (hidesInFold(folded)) return { unclear: (name) => say("from_folded_name", { name }) };
  const value = folded.replaceAll("\r\n", "");
  if (hasControlExceptTab(value) || hasBidiControl(value))
    return { unclear: (name) => say("from_control_character", { name }) };
  const text = value.replace(OUTER_SPACE, "");
  const [, name = "", bracketed, comment = ""] = NAME_AND_ADDRESS.exec(text) ?? [];
  const [, bare, onlyComment = ""] = bracketed === undefined ? (ADDRESS.exec(text) ?? []) : [];
  const written = bracketed ?? bare;
  if (written === undefined) return { unclear: (name) => whyUnclear(text, name) };
  const read = readAddress(written);
  if ("unclear" in read) return read;
  return (
    nameFault(name, read.address) ??
    nameFault(comment, read.address) ??
    nameFault(onlyComment, read.address) ??
    read
  );
}

/** Some readers, for example Python's, treat a fold as the end of a quoted string. */
function hidesInFold(folded: string): boolean {
  const quoted = folded.match(QUOTED_AND_FOLDED) ?? [];
  return quoted.some((text) => text.includes("\r") && MISREAD_IN_FOLD.test(text));
}

function whyUnclear(text: string, name: FromFieldName): FaultText {
  if (!text.includes("@")) return say("from_no_address", { name });
  const unquoted = text.replaceAll(QUOTED_AND_FOLDED, "");
  if (/[,;:]/.test(unquoted)) {
    return say("from_several", { name });
  }
  if (/@.*<.*@/.test(unquoted)) return say("from_several_or_at", { name });
  return say("from_one_address", { name });
}

function readAddress(written: string): Reading {
  if (written.startsWith('"')) return { unclear: (name) => say("from_quoted_address", { name }) };
  if (looksEncoded(written)) return { unclear: (name) => say("from_encoded_address", { name }) };
  if (written.includes("\ufffd")) return { unclear: (name) => say("from_not_utf8", { name }) };
  const result = parseAddress(written);
  if (!result.ok)
    return {
      unclear: (name) =>
        say("from_address_invalid", { name, detail: result.message.text.replace(/\.$/, "") }),
    };
  if (isAsRead(written, result.address)) return result;
  return { unclear: (name) => say("from_address_as", { name, address: result.address }) };
}

/** True if readers without normalization see the same address. */
function isAsRead(written: string, address: string): boolean {
  const local = address.slice(0, address.lastIndexOf("@") + 1);
  if (!written.startsWith(local)) return false;
  const domain = written.slice(local.length).toLowerCase();
  if (domain === domainOf(address)) return true;
  return domain === domainToUnicode(domainOf(address)) && !DEVIATION.test(domain);
}

/** Part of the displayed name that could be mistaken for another sender. */
function nameFault(name: string, address: string): Unclear | undefined {
  if (name === "") return undefined;
  if (hasUnknownCharset(name)) return { unclear: (name) => say("from_charset", { name }) };
  const isQuoted = name.startsWith('"') && name.endsWith('"');
  const plain = isQuoted ? name.slice(1, -1).replace(ESCAPE, "$1") : name;
  const shown = decodeWords(plain);
  if (withoutControls(shown) !== shown || hasBidiControl(shown)) {
    return { unclear: (name) => say("from_bidi_name", { name }) };
  }
  // In a quoted string of ASCII it is a name to all readers. Some decode words before they search for the address.
  if (shown === plain && isAscii(plain)) return undefined;
  const found = shown.normalize("NFKC").match(ADDRESS_IN_TEXT) ?? [];
  if (found.every((one) => sameAddress(one, address))) return undefined;
  return { unclear: (name) => say("from_name_like_address", { name }) };
}

/**
 * Reads a sender in the form for people, by the rules of `parseMailbox`, and checks its From field like a submitted one: the
 * permitted senders do not depend on the submission protocol.
 */
export function parseFromMailbox(input: string): MailboxResult {
  const result = parseMailbox(input);
  if (!result.ok) return result;
  const field = readFromField("From", encodeMailboxes([result.mailbox]));
  if (field.ok) return result;
  const isQuoted = result.mailbox.address.startsWith('"');
  return addressFault(
    isQuoted ? "address.local_part_invalid" : "address.display_name_invalid",
    field.message,
  );
}
