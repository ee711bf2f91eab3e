import { decodeText } from "./decode-text.ts";
import type { DmarcReport } from "./dmarc-report.ts";
import { parseDmarcReport } from "./parse-dmarc-report.ts";
import { parseTlsReport } from "./parse-tls-report.ts";
import type { TlsReport } from "./tls-report.ts";
import { budgetOf, unpack } from "./unpack.ts";
import { reasonOf, UnreadableError } from "./unreadable-error.ts";

/**
 * Result for one document:
 *
 * - `dmarc`: a DMARC aggregate report (RFC 9990, RFC 7489)
 * - `tls`: a TLS report (RFC 8460)
 * - `unreadable`: neither, or damaged; the reason is a clause without a full stop
 */
export type ReportReading =
  | { readonly kind: "dmarc"; readonly report: DmarcReport }
  | { readonly kind: "tls"; readonly report: TlsReport }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Reads an attachment or an upload, packed or not. Returns one reading for each document in it, and at least one. A
 * large report takes some seconds, so `createReportReader` runs this in a thread.
 */
export function* readReports(bytes: Buffer, budget = budgetOf()): Generator<ReportReading> {
  for (const contents of unpack(bytes, budget)) {
    yield "reason" in contents
      ? { kind: "unreadable", reason: contents.reason }
      : readDocument(contents.bytes);
  }
}

function readDocument(bytes: Buffer): ReportReading {
  try {
    if (bytes.length === 0) throw new UnreadableError("the document is empty");
    // Mail systems add white space and zeros.
    const text = decodeText(bytes).replace(/^[\s\0\ufeff]+/, "");
    if (text.startsWith("<")) return { kind: "dmarc", report: parseDmarcReport(text) };
    if (text.startsWith("{"))
      return { kind: "tls", report: parseTlsReport(text.slice(0, text.lastIndexOf("}") + 1)) };
    throw new UnreadableError("the document is not gzip, zip, XML or JSON");
  } catch (error) {
    return { kind: "unreadable", reason: reasonOf(error) };
  }
}
