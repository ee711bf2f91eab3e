import { setImmediate as nextTurn } from "node:timers/promises";
import { base64Lines, isBase64Shorter, toQuotedPrintable } from "../encode-text.ts";
import type { Entity } from "./entity.ts";

export interface Encoded {
  readonly transferEncoding: "quoted-printable" | "base64";
  readonly bytes: Buffer;
}

const CRLF = Buffer.from("\r\n");
/** Octets encoded in one turn of the event loop: some milliseconds. */
const TEXT_OCTETS_PER_SLICE = 512 * 1024;
/** A whole number of lines. */
const BASE64_OCTETS_PER_SLICE = 57 * 16 * 1024;

/**
 * Encodes the body of a part in ASCII: texts in the shorter of quoted-printable and base64, other types in base64.
 * @param boundaries of the enclosing multiparts
 */
export async function encodeBody({ type, body }: Entity, boundaries: readonly string[]): Promise<Encoded> {
  const text = type.startsWith("text/") ? await quotedPrintable(body) : undefined;
  // A soft line break may expose a delimiter. Base64 has none.
  const isApart = boundaries.every((boundary) => !text?.includes(Buffer.from(`--${boundary}`, "latin1")));
  if (text && isApart) return { transferEncoding: "quoted-printable", bytes: text };
  return { transferEncoding: "base64", bytes: await base64(body) };
}

/** undefined: base64 is shorter. */
async function quotedPrintable(body: Buffer): Promise<Buffer | undefined> {
  const encoded: Buffer[] = [];
  let escapes = 0;
  for (let at = 0; at < body.length; ) {
    if (at > 0) await nextTurn();
    const lineEnd = body.indexOf(CRLF, at + TEXT_OCTETS_PER_SLICE);
    const end = lineEnd < 0 ? body.length : lineEnd + CRLF.length;
    const piece = toQuotedPrintable(body.subarray(at, end));
    encoded.push(piece.bytes);
    escapes += piece.escapes;
    at = end;
  }
  return isBase64Shorter(body.length, escapes) ? undefined : Buffer.concat(encoded);
}

async function base64(body: Buffer): Promise<Buffer> {
  const encoded: Buffer[] = [];
  for (let at = 0; at < body.length; at += BASE64_OCTETS_PER_SLICE) {
    if (at > 0) {
      encoded.push(CRLF);
      await nextTurn();
    }
    encoded.push(base64Lines(body.subarray(at, at + BASE64_OCTETS_PER_SLICE)));
  }
  if (body.subarray(-CRLF.length).equals(CRLF)) encoded.push(CRLF);
  return Buffer.concat(encoded);
}
