import { decodeText } from "./decode-text.ts";
import type { DmarcReport } from "./dmarc-report.ts";
import { parseDmarcReport } from "./parse-dmarc-report.ts";
import { parseTlsReport } from "./parse-tls-report.ts";
import type { TlsReport } from "./tls-report.ts";
import { budgetOf, unpack } from "./unpack.ts";
import { reasonOf, UnreadableError } from "./unreadable-error.ts";

/**
 * What one document is:
 *
 * - `dmarc`: an aggregate report of DMARC (RFC 9990, RFC 7489)
 * - `tls`: a TLS report (RFC 8460)
 * - `unreadable`: neither, or damaged; the reason is a sentence without its end
 */
export type ReportReading =
  | { readonly kind: "dmarc"; readonly report: DmarcReport }
  | { readonly kind: "tls"; readonly report: TlsReport }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Reads what was attached to a mail or uploaded, packed or not; one reading for each document in it, and at least one. It takes
 * some seconds for a large report: `createReportReader` does it in a thread.
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
    if (bytes.length === 0) throw new UnreadableError("it is empty");
    // Mail adds white space, and zeros.
    const text = decodeText(bytes).replace(/^[\s\0\ufeff]+/, "");
    if (text.startsWith("<")) return { kind: "dmarc", report: parseDmarcReport(text) };
    if (text.startsWith("{"))
      return { kind: "tls", report: parseTlsReport(text.slice(0, text.lastIndexOf("}") + 1)) };
    throw new UnreadableError("it is neither gzip, zip, XML nor JSON");
  } catch (error) {
    return { kind: "unreadable", reason: reasonOf(error) };
  }
}
