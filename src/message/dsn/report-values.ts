import { parseAddress } from "../address/addresses.ts";
import { type Fields, field } from "./fields.ts";
import { safeText } from "./safe-text.ts";

/** Type before a value: `rfc822;`, `dns;`, `smtp;` (RFC 3464 section 2.1.2). */
const TYPED = /^([a-z][a-z0-9-]{0,30})[ \t]*;(.*)$/is;
/** RFC 6533 section 3, `utf-8-addr-xtext`. */
const EMBEDDED_CHARACTER = /\\x\{([0-9a-f]{2,6})\}/gi;
/** Part neither of an IPv4 address nor of a longer version number. */
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/;
const MESSAGE_ID = /<[^<>\s]{1,900}>/;
/** Some hosts put brackets around an address, or a comment after it. */
const BRACKETED = /<([^<>]{1,800})>/;

/** A value without its type. */
export function untyped(value: string | undefined): string | undefined {
  return safeText(value === undefined ? undefined : (TYPED.exec(value)?.[2] ?? value));
}

/**
 * Address of `rfc822; a@b.c`, `utf-8; \x{E9}@b.c` or `<a@b.c>`, in the form of `parseAddress`; an invalid one, such as the
 * `root` of a local delivery, is returned unchanged.
 */
export function readReportAddress(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [, type = "", rest = value] = TYPED.exec(value) ?? [];
  const plain = type.toLowerCase() === "utf-8" ? rest.replace(EMBEDDED_CHARACTER, embedded) : rest;
  const text = safeText(plain);
  if (text === undefined || text === "<>") return undefined;
  const [word = text] = text.split(" ", 1);
  const bracketed = BRACKETED.exec(text)?.[1]?.trim();
  for (const each of [text, bracketed, word]) {
    const result = each === undefined ? undefined : parseAddress(each);
    if (result?.ok) return result.address;
  }
  return bracketed ?? text;
}

/** Host of `dns; mx.example.net. (192.0.2.25)`, without its comment. */
export function readHost(value: string | undefined): string | undefined {
  return untyped(value)?.split(" ", 1)[0]?.replace(/\.$/, "") || undefined;
}

/** The first enhanced status code of a text. */
export function findStatus(text: string | undefined): string | undefined {
  return text === undefined ? undefined : STATUS.exec(text)?.[1];
}

/** A message id with its angle brackets, which some hosts omit. */
export function readMessageId(value: string | undefined): string | undefined {
  const text = safeText(value);
  if (text === undefined) return undefined;
  return MESSAGE_ID.exec(text)?.[0] ?? (/^[^<>\s]+@[^<>\s]+$/.test(text) ? `<${text}>` : undefined);
}

/** Id of the message that a report answers, from the report's own header (RFC 3834 section 3.1.5). */
export function answeredMessageId(header: Fields): string | undefined {
  return readMessageId(field(header, "in-reply-to")) ?? readMessageId(lastWord(field(header, "references")));
}

function lastWord(text: string | undefined): string | undefined {
  return text?.slice(text.lastIndexOf("<"));
}

function embedded(written: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? written : String.fromCodePoint(code);
}
