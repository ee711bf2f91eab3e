const ENCODING = /<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/;
/** Number of characters that are searched for the declaration. */
const DECLARATION_LENGTH = 400;

const PIECE_BYTES = 64 * 1024;
/** Characters 0x80 to 0x9f. Undefined code points stay control characters. */
const BEYOND_LATIN1 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/**
 * Decodes XML or JSON. The encoding is UTF-16 if a byte order mark or zeros show it, otherwise the declared one,
 * otherwise UTF-8. If none fits, windows-1252 is used, which accepts every byte sequence. A common library wrongly
 * declares UTF-16 for single-byte text.
 */
export function decodeText(bytes: Buffer): string {
  const wide = wideCharset(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  const [, declared = "utf-8"] = ENCODING.exec(bytes.toString("latin1", 0, DECLARATION_LENGTH)) ?? [];
  const charsets = /^(?:utf-?16|ucs-?2|iso-10646)/i.test(declared) ? ["utf-8"] : [declared, "utf-8"];
  for (const charset of charsets) {
    const text = decodeAs(charset, bytes);
    if (text !== undefined) return text;
  }
  return decodeWindows1252(bytes);
}

/** Undefined: the bytes are invalid in this charset, or the charset is unknown. */
function decodeAs(charset: string, bytes: Buffer): string | undefined {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    return decoder.encoding === "windows-1252" ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Some releases of Node.js decode windows-1252 as ISO 8859-1, which has control characters in place of dashes and
 * quotation marks. The text is converted in pieces: a hundred million replacements at once end the process.
 */
function decodeWindows1252(bytes: Buffer): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const latin1 = bytes.toString("latin1", at, at + PIECE_BYTES);
    pieces.push(
      latin1.replace(/[\x80-\x9f]/g, (control) => BEYOND_LATIN1[control.charCodeAt(0) - 0x80] ?? control),
    );
  }
  return pieces.join("");
}

/** XML and JSON begin with an ASCII character. In UTF-16 one of its two bytes is zero. */
function wideCharset([first, second]: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first && second === 0) return "utf-16le";
  return first === 0 && second ? "utf-16be" : undefined;
}
