/** Entry of the thread in which reports are read, one after the other. */
import { parentPort } from "node:worker_threads";
import type { DmarcRow } from "./dmarc-report.ts";
import { type ReportReading, readReports } from "./read-reports.ts";

/** What it is asked for: `read` begins with what was attached; `next` asks for the next message of it. */
export type ReportRequest = { readonly kind: "read"; readonly bytes: Uint8Array } | { readonly kind: "next" };

/** What it answers with: each reading, of DMARC with the first of its rows; further rows of it; and that this was all. */
export type ReportMessage =
  | { readonly kind: "reading"; readonly reading: ReportReading }
  | { readonly kind: "rows"; readonly rows: readonly DmarcRow[] }
  | { readonly kind: "end" };

/** Rows of one message: the receiver has them in a few milliseconds, and can do other things in between. */
const MOST_ROWS = 2_000;

function* messagesOf(bytes: Buffer): Generator<ReportMessage> {
  for (const reading of readReports(bytes)) {
    if (reading.kind !== "dmarc" || reading.report.rows.length <= MOST_ROWS) {
      yield { kind: "reading", reading };
      continue;
    }
    const { rows, ...report } = reading.report;
    yield {
      kind: "reading",
      reading: { kind: "dmarc", report: { ...report, rows: rows.slice(0, MOST_ROWS) } },
    };
    for (let at = MOST_ROWS; at < rows.length; at += MOST_ROWS) {
      yield { kind: "rows", rows: rows.slice(at, at + MOST_ROWS) };
    }
  }
}

let messages = messagesOf(Buffer.alloc(0));
parentPort?.on("message", (request: ReportRequest) => {
  if (request.kind === "read") {
    const { buffer, byteOffset, byteLength } = request.bytes;
    messages = messagesOf(Buffer.from(buffer, byteOffset, byteLength));
  }
  const { value } = messages.next();
  parentPort?.postMessage((value ?? { kind: "end" }) satisfies ReportMessage);
});
