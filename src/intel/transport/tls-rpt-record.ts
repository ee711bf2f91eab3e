import { trimEnd } from "../../shared/trim-end.ts";
import { parseReportUris, type ReportUri } from "../dmarc/report-uri.ts";

/** A record of `_smtp._tls` (RFC 8460 section 3). */
export type TlsRptRecord =
  | {
      /** Where reports can be sent, as they stand there: mailto and https; there is one at least. */
      readonly uris: readonly string[];
      /** Others, which no reporter can use. */
      readonly unusable: readonly string[];
    }
  | { readonly problem: string };

const VERSION = /^v=TLSRPTv1[ \t]*;/;
const EXTENSION = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}=[\x21-\x3a\x3c\x3e-\x7e]+$/;

/** Hostile records are long; honest ones fit one character string. */
const MAX_LENGTH = 4_096;

/** Whether it counts as a record: others are left out of account (section 3.1). */
export function isTlsRptRecord(text: string): boolean {
  return VERSION.test(text);
}

/** There may be more than one rua (section 3); fields that are not known are passed over. */
export function parseTlsRpt(text: string): TlsRptRecord {
  if (text.length > MAX_LENGTH) return { problem: `It has more than ${MAX_LENGTH} characters.` };
  const fields = text.split(";").map((field) => trimEnd(field.replace(/^[ \t]+/, ""), " \t"));
  // A semicolon may stand at the end.
  if (fields.at(-1) === "") fields.pop();
  const rua: string[] = [];
  for (const field of fields.slice(1)) {
    if (field.startsWith("rua=")) rua.push(field.slice("rua=".length));
    else if (!EXTENSION.test(field)) return { problem: "It has a part that is not of the form name=value." };
  }
  if (rua.length === 0) return { problem: "It has no rua." };
  const all = rua.flatMap(parseReportUris);
  const uris = all.filter(isUsable).map((uri) => uri.text);
  const unusable = all.filter((uri) => !isUsable(uri)).map((uri) => uri.text);
  if (uris.length === 0) return { problem: "Its rua has neither a mailto nor an https address." };
  return { uris, unusable };
}

function isUsable({ kind, text }: ReportUri): boolean {
  // Section 3: an exclamation mark has to be encoded.
  if (text.includes("!")) return false;
  return kind === "mail" || (kind === "other" && /^https:\/\/[^/?#]/i.test(text) && URL.canParse(text));
}
