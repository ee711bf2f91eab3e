import { type Phrase, phrase } from "../../shared/phrase.ts";
import { trimEnd } from "../../shared/trim-end.ts";
import { parseReportUris, type ReportUri } from "../dmarc/report-uri.ts";

/** A record of `_smtp._tls` (RFC 8460 section 3). */
export type TlsRptRecord =
  | {
      /** Usable addresses as written: mailto and https. There is at least one. */
      readonly uris: readonly string[];
      /** Other addresses, which no reporter can use. */
      readonly unusable: readonly string[];
    }
  | { readonly problem: Phrase };

const VERSION = /^v=TLSRPTv1[ \t]*;/;
const EXTENSION = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}=[\x21-\x3a\x3c\x3e-\x7e]+$/;

/** Hostile records are long. Valid ones fit into one character string. */
const MAX_LENGTH = 4_096;

/** Whether the text counts as a record: others are ignored (section 3.1). */
export function isTlsRptRecord(text: string): boolean {
  return VERSION.test(text);
}

/** There may be several rua fields (section 3). Unknown fields are ignored. */
export function parseTlsRpt(text: string): TlsRptRecord {
  if (text.length > MAX_LENGTH) return { problem: phrase("tls_rpt.too_long", { count: MAX_LENGTH }) };
  const fields = text.split(";").map((field) => trimEnd(field.replace(/^[ \t]+/, ""), " \t"));
  // The record may end with a semicolon.
  if (fields.at(-1) === "") fields.pop();
  const rua: string[] = [];
  for (const field of fields.slice(1)) {
    if (field.startsWith("rua=")) rua.push(field.slice("rua=".length));
    else if (!EXTENSION.test(field)) return { problem: phrase("tls_rpt.odd_part") };
  }
  if (rua.length === 0) return { problem: phrase("tls_rpt.no_rua") };
  const all = rua.flatMap(parseReportUris);
  const uris = all.filter(isUsable).map((uri) => uri.text);
  const unusable = all.filter((uri) => !isUsable(uri)).map((uri) => uri.text);
  if (uris.length === 0) return { problem: phrase("tls_rpt.no_address") };
  return { uris, unusable };
}

function isUsable({ kind, text }: ReportUri): boolean {
  // Section 3: an exclamation mark must be encoded.
  if (text.includes("!")) return false;
  return kind === "mail" || (kind === "other" && /^https:\/\/[^/?#]/i.test(text) && URL.canParse(text));
}
