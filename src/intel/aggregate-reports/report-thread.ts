/** Entry of the thread in which reports are read, one after the other. */
import { parentPort } from "node:worker_threads";
import { digestReports, type ReportDigest } from "./digest-reports.ts";
import { readFile, readMail } from "./read-mail.ts";

/** Requests to the thread: `read` starts with a document and returns its first message; `next` returns the next one. */
export type ReportRequest =
  | { readonly kind: "read"; readonly form: ReportForm; readonly bytes: Uint8Array }
  | { readonly kind: "next" };

/** `mail`: as received over SMTP; `file`: a report as it was attached, or such a mail. */
export type ReportForm = "mail" | "file";

/** Answers of the thread: each document, one at a time so that the receiver can do other work in between, and the end. */
export type ReportMessage =
  | { readonly kind: "reading"; readonly reading: ReportDigest }
  | { readonly kind: "end" };

let digests: Iterator<ReportDigest> = digestReports([]);
parentPort?.on("message", (request: ReportRequest) => {
  if (request.kind === "read") {
    const { buffer, byteOffset, byteLength } = request.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    digests = digestReports(request.form === "mail" ? readMail(bytes) : readFile(bytes));
  }
  const { value, done } = digests.next();
  const message: ReportMessage = done ? { kind: "end" } : { kind: "reading", reading: value };
  parentPort?.postMessage(message);
});
