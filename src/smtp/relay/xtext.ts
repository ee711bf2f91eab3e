/** Printable US-ASCII without "+" and "=", and "+XX" for all other octets (RFC 3461 section 4). */
const XTEXT = /^(?:[!-*,-<>-~]|\+[0-9A-F]{2})*$/;
const PRINTABLE = /^[ -~]*$/;

/** Decodes xtext; undefined: the text is not xtext, or it encodes octets outside printable US-ASCII. */
export function decodeXtext(text: string): string | undefined {
  if (!XTEXT.test(text)) return undefined;
  const decoded = text.replace(/\+(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return PRINTABLE.test(decoded) ? decoded : undefined;
}
