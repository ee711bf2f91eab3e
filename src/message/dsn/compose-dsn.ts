import { createHash } from "node:crypto";
import { parseAddress } from "../address/addresses.ts";
import { encodeMailboxes, encodeUnstructured, headerLine } from "../header/encode-header.ts";
import { BOUNDARY_PREFIX, encodeText } from "../mime/encode-text.ts";
import type { DsnFacts, DsnOriginal, DsnStyle } from "./dsn.ts";
import { dsnStatus, dsnStyle } from "./dsn-status.ts";
import { DSN_SUBJECTS, dsnText } from "./dsn-text.ts";
import { type ReportPart, reportPart, returnedPart } from "./returned-message.ts";

export interface ComposeDsnInput {
  readonly facts: DsnFacts;
  readonly original: DsnOriginal;
  /** The envelope sender of the original message. */
  readonly to: string;
  /** The author: `mailer-daemon@example.com`. */
  readonly from: string;
  /** With its angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  /** The name of this host. */
  readonly reportingMta: string;
}

const MESSAGE_ID = /^<[!-;=?-~]{1,900}>$/;

/**
 * Composes a delivery status notification (RFC 3464) in a multipart/report (RFC 6522): text for people, fields for programs,
 * and the message or its header. The same input gives the same bytes. It is sent from the null sender (RFC 3461 section 6.1),
 * so that it never causes another one.
 *
 * Foreign text is included as text: in one line, and encoded if it could be mistaken for something else.
 *
 * @throws TypeError if `to` or `from` is not an address that a message can have
 */
export function composeDsn(input: ComposeDsnInput): Buffer {
  const { facts, original, to } = input;
  for (const address of [to, input.from]) {
    if (!parseAddress(address).ok) throw new TypeError("composeDsn: invalid address");
  }
  const style = dsnStyle(facts, to);
  const wanted = facts.action === "failed" ? (original.returnContent ?? "headers") : "headers";
  const parts = [
    textPart("text/plain; charset=utf-8", dsnText(input)),
    statusPart(dsnStatus(input, style), style),
    ...(original.source ? [returnedPart(original.source, wanted, style)] : []),
  ];
  const boundary = boundaryFor(input.messageId, parts);
  const chunks: Uint8Array[] = [Buffer.from(`${header(input, boundary)}\r\n`)];
  for (const part of parts) {
    chunks.push(Buffer.from(`--${boundary}\r\n${part.header}\r\n`), part.body, Buffer.from("\r\n"));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(chunks);
}

function header({ facts, original, to, from, messageId, date }: ComposeDsnInput, boundary: string): string {
  const sender = { address: from, displayName: "Mail Delivery System" };
  const answered = MESSAGE_ID.test(original.messageId) ? original.messageId : undefined;
  return [
    headerLine("Date", date.toUTCString().replace("GMT", "+0000")),
    headerLine("From", encodeMailboxes([sender])),
    headerLine("To", encodeMailboxes([{ address: to }])),
    headerLine("Subject", encodeUnstructured(DSN_SUBJECTS[facts.action])),
    headerLine("Message-ID", messageId),
    ...(answered === undefined
      ? []
      : [headerLine("In-Reply-To", answered), headerLine("References", answered)]),
    headerLine("Auto-Submitted", "auto-replied"),
    headerLine("MIME-Version", "1.0"),
    headerLine("Content-Type", `multipart/report; report-type=delivery-status; boundary="${boundary}"`),
  ].join("");
}

function textPart(type: string, text: string): ReportPart {
  const { transferEncoding, bytes } = encodeText(text);
  return reportPart(type, transferEncoding, bytes);
}

/** In 7bit, as RFC 3464 section 2.1 requires, except for the variant that needs more. */
function statusPart(status: string, { isGlobal }: DsnStyle): ReportPart {
  if (isGlobal) return textPart("message/global-delivery-status", status);
  return reportPart("message/delivery-status", "7bit", Buffer.from(status));
}

/** A boundary that the returned message does not contain, even if its author knows how boundaries are created. */
function boundaryFor(seed: string, parts: readonly ReportPart[]): string {
  for (let attempt = 0; ; attempt++) {
    const hash = createHash("sha256").update(`${seed} ${attempt}`).digest("hex").slice(0, 24);
    const boundary = `${BOUNDARY_PREFIX}${hash}`;
    if (parts.every(({ body }) => !body.includes(boundary))) return boundary;
  }
}
