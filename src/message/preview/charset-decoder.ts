import { Transform, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";

interface TextReader {
  read(bytes: Buffer): string;
  end(): string;
}

/**
 * Decodes text of a character set for mailparser, which loads it under the name of a library: its default decoder keeps the
 * whole of a Japanese text as an array of numbers, which takes gigabytes. Supports the character sets of browsers; others are
 * read as Latin-1.
 */
export class CharsetDecoder extends Transform {
  readonly #text: TextReader;

  constructor(charset: string) {
    super();
    this.#text = readerOf(charset);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.#text.read(chunk));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#text.end());
  }
}

/** Names of character sets in mail that browsers name differently. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
};

function readerOf(charset: string): TextReader {
  try {
    const decoder = new TextDecoder(OTHER_NAMES[charset.toLowerCase()] ?? charset, { ignoreBOM: true });
    return { read: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  } catch {
    const decoder = new StringDecoder("latin1");
    return { read: (bytes) => decoder.write(bytes), end: () => decoder.end() };
  }
}
