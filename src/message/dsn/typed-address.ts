import { isAscii } from "../characters.ts";
import { safeText } from "./safe-text.ts";

/** An address with its type, which says how to parse it (RFC 3464 section 2.1.2). */
export interface TypedAddress {
  /** `rfc822`, `utf-8`, in lower case. */
  readonly type: string;
  readonly address: string;
}

const TYPED = /^([a-z][a-z0-9-]{0,30});(.+)$/is;
/** RFC 3461 section 4: characters that xtext escapes. */
const NOT_XTEXT = /[^!-*,-<>-~]/gu;
/** RFC 6533 section 3: unescaped characters in utf-8-addr-xtext, and in utf-8-addr-unitext. */
const NOT_UTF8_XTEXT = /[^!-*,-<>-[\]-~]/gu;
const NOT_UNITEXT = /[\p{Cc}\p{Z}\\+=]/gu;

/** An address in the form of reports. */
export function typedAddress(address: string): TypedAddress {
  return { type: isAscii(address) ? "rfc822" : "utf-8", address };
}

/** Parses ORCPT, decoded, for example `rfc822;ada@example.com`; undefined if it is invalid or unsafe to repeat. */
export function readTypedAddress(text: string | undefined): TypedAddress | undefined {
  const [, type = "", rest = ""] = TYPED.exec(text ?? "") ?? [];
  const address = safeText(rest);
  if (address === undefined || address !== rest.trim()) return undefined;
  const isMislabelled = !isAscii(address) && type.toLowerCase() === "rfc822";
  return { type: isMislabelled ? "utf-8" : type.toLowerCase(), address };
}

/** Form for fields of a report: `rfc822; ada@example.com`. In UTF-8 if the address is. */
export function formatTypedAddress({ type, address }: TypedAddress): string {
  // Unescaped, unless a reader could mistake a part of it for an escaped character.
  const isEscaped = type === "utf-8" && /[\\\p{Z}]/u.test(address);
  return `${type}; ${isEscaped ? address.replace(NOT_UNITEXT, embedded) : address}`;
}

/** Form for the parameter ORCPT, only in ASCII. */
export function orcptOf({ type, address }: TypedAddress): string {
  return `${type};${type === "utf-8" ? address.replace(NOT_UTF8_XTEXT, embedded) : xtext(address)}`;
}

/** RFC 3461 section 4, each octet beyond its own characters as `+` and two digits. */
export function xtext(text: string): string {
  return text.replace(NOT_XTEXT, (character) =>
    Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "+$&"),
  );
}

function embedded(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `\\x{${hex.padStart(2, "0")}}`;
}
