/** One encoded word (RFC 2047): charset, perhaps a language (RFC 2231), B or Q, text. */
const WORD = /=\?([\w.:+-]{1,40})(?:\*[\w-]{0,40})?\?([bq])\?([^?\s]{0,2000})\?=/gi;
/** White space between two encoded words is not part of the text. */
const BETWEEN = /(\?=)[ \t\r\n]+(?==\?[\w.:+-]{1,40}(?:\*[\w-]{0,40})?\?[bq]\?)/gi;

interface Run {
  readonly charset: string;
  readonly bytes: Buffer;
}

/** Decodes the encoded words of a header field's value; undecodable ones stay unchanged. */
export function decodeWords(value: string): string {
  if (!value.includes("=?")) return value;
  const joined = value.replace(BETWEEN, "$1");
  let text = "";
  let run: Run | undefined;
  let end = 0;
  for (const match of joined.matchAll(WORD)) {
    const [whole, charset = "", encoding = "", encoded = ""] = match;
    const between = joined.slice(end, match.index);
    const bytes = encoding.toLowerCase() === "b" ? Buffer.from(encoded, "base64") : decodeQ(encoded);
    // Some writers split a character: adjacent words of one charset are decoded together.
    if (run && between === "" && run.charset === charset.toLowerCase()) {
      run = { charset: run.charset, bytes: Buffer.concat([run.bytes, bytes]) };
    } else {
      text += (run ? decodeBytes(run) : "") + between;
      run = { charset: charset.toLowerCase(), bytes };
    }
    end = match.index + whole.length;
  }
  return text + (run ? decodeBytes(run) : "") + joined.slice(end);
}

/** True if an encoded word has a character set that cannot be decoded here, but perhaps by others. */
export function hasUnknownCharset(value: string): boolean {
  if (!value.includes("=?")) return false;
  return [...value.matchAll(WORD)].some(([, charset = ""]) => !decoderFor(charset));
}

function decodeQ(encoded: string): Buffer {
  const latin = encoded
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin, "latin1");
}

function decodeBytes({ charset, bytes }: Run): string {
  return decoderFor(charset)?.decode(bytes) ?? bytes.toString("latin1");
}

function decoderFor(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
