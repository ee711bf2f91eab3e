import type { DkimAlgorithm } from "./keys.ts";

export interface SignatureTags {
  readonly algorithm: DkimAlgorithm;
  readonly domain: string;
  readonly selector: string;
  readonly signedAtSeconds: number;
  readonly expiresAtSeconds?: number;
  /** For `h=`. */
  readonly names: readonly string[];
  /** In base64. */
  readonly bodyHash: string;
}

/** RFC 5322 section 2.1.1, without the line end. */
const MAX_LINE = 78;
const SIGNATURE_LINE = 72;

/**
 * A DKIM-Signature field (RFC 6376 section 3.5) up to its `b=`, in the signed form, without a CRLF at its end. Folded at 78
 * where tags may be folded: a name in `d=`, `s=` or `h=` stays in one piece.
 */
export function unsignedField(tags: SignatureTags): string {
  const { algorithm, domain, selector, signedAtSeconds, expiresAtSeconds, names, bodyHash } = tags;
  const lines = ["DKIM-Signature: v=1;"];
  const add = (piece: string, separator: string) => {
    const line = lines.at(-1) ?? "";
    if (line.length + separator.length + piece.length > MAX_LINE) lines.push(` ${piece}`);
    else lines[lines.length - 1] = `${line}${separator}${piece}`;
  };
  add(`a=${algorithm};`, " ");
  add("c=relaxed/relaxed;", " ");
  add(`d=${domain};`, " ");
  add(`s=${selector};`, " ");
  add(`t=${signedAtSeconds};`, " ");
  if (expiresAtSeconds !== undefined) add(`x=${expiresAtSeconds};`, " ");
  for (const [index, name] of names.entries()) {
    const piece = `${name}${index === names.length - 1 ? ";" : ":"}`;
    if (index === 0) add(`h=${piece}`, " ");
    else add(piece, "");
  }
  add(`bh=${bodyHash};`, " ");
  lines.push(" b=");
  return lines.join("\r\n");
}

/** The field with its signature and its CRLF. */
export function signedField(unsigned: string, signature: Buffer): string {
  const text = signature.toString("base64");
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += SIGNATURE_LINE) lines.push(text.slice(at, at + SIGNATURE_LINE));
  return `${unsigned}${lines.join("\r\n ")}\r\n`;
}
