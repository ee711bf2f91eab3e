import { createHash } from "node:crypto";
import { needsSmtpUtf8, parseAddress } from "../address/addresses.ts";
import type { Attachment, HeaderField, Mailbox, MessageContent } from "../content.ts";
import * as encode from "../header/encode-header.ts";
import { checkHeaderField, isStructuredField } from "../header/header-fields.ts";
import { checkContentId, checkContentType, goesUnencoded } from "./attachments.ts";
import { BOUNDARY_PREFIX, base64Lines, encodeText, isSevenBit } from "./encode-text.ts";

export interface ComposeMimeInput {
  readonly content: MessageContent;
  /** With or without its angle brackets (RFC 5322 section 3.6.4). */
  readonly messageId: string;
  readonly date: Date;
  /** Seed of the boundaries; missing: the message id. */
  readonly boundarySeed?: string;
}

/** A body, or its parts, with its own header lines. */
type Part = { readonly header: string } & (
  | { readonly body: Buffer }
  | { readonly boundary: string; readonly parts: readonly Part[] }
);

const OCTET_STREAM = "application/octet-stream";
const MESSAGE_ID = /^<[!-;=?-~]{1,900}>$/;

/**
 * Composes the message for the wire (RFC 5322, RFC 2045), without the fields that others add on the way. The same input gives
 * the same bytes. Types of attachments stay unchanged, octet for octet. Line ends of text and html become CRLF, and a message
 * of one part ends in one; control characters in headers become spaces; all other content that a reader sees equals `content`.
 *
 * Synchronous, and based on nodemailer's header encoders instead of its composer: that is a tree of streams with several times
 * the CPU use, and its format=flowed and line end handling do not preserve a text.
 *
 * @throws TypeError if no message can have an address, the name of a header or the message id. The validators beside this file
 *   refuse these with a reason.
 */
export function composeMime({ content, messageId, date, boundarySeed }: ComposeMimeInput): Buffer {
  const boundaryHash = createHash("sha256")
    .update(boundarySeed ?? messageId)
    .digest("hex")
    .slice(0, 24);
  const chunks = [Buffer.from(messageHeader(content, messageId, date))];
  writePart(contentPart(content, `${BOUNDARY_PREFIX}${boundaryHash}`), chunks);
  const last = chunks.at(-1);
  if (last && !(last.at(-2) === 0x0d && last.at(-1) === 0x0a)) chunks.push(Buffer.from("\r\n"));
  return Buffer.concat(chunks);
}

/** True if the headers contain an address beyond ASCII, so that only hosts with SMTPUTF8 accept the message. */
export function headersNeedSmtpUtf8({ from, to, replyTo }: MessageContent): boolean {
  return [from, ...to, ...replyTo].some(({ address }) => needsSmtpUtf8(address));
}

function messageHeader(content: MessageContent, messageId: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError("composeMime: invalid date");
  const id = messageId.startsWith("<") ? messageId : `<${messageId}>`;
  if (!MESSAGE_ID.test(id)) throw new TypeError("composeMime: invalid message id");
  const to = content.to.length > 0 ? mailboxes(content.to) : "undisclosed-recipients:;";
  return [
    encode.headerLine("Date", date.toUTCString().replace("GMT", "+0000")),
    encode.headerLine("From", mailboxes([content.from])),
    content.replyTo.length > 0 ? encode.headerLine("Reply-To", mailboxes(content.replyTo)) : "",
    encode.headerLine("To", to),
    encode.headerLine("Subject", encode.encodeUnstructured(content.subject)),
    encode.headerLine("Message-ID", id),
    ...content.headers.map(customHeader),
    encode.headerLine("MIME-Version", "1.0"),
  ].join("");
}

/** Non-ASCII local parts stay unchanged (RFC 6532): they have no other form, and only SMTPUTF8 supports them. */
function mailboxes(list: readonly Mailbox[]): string {
  for (const { address } of list) {
    const result = parseAddress(address);
    if (!result.ok) throw new TypeError(`composeMime: invalid address (${result.code})`);
  }
  return encode.encodeMailboxes(list);
}

function customHeader(field: HeaderField): string {
  const fault = checkHeaderField({ name: field.name, value: "checked apart" });
  if (fault) throw new TypeError(`composeMime: invalid header (${fault.code})`);
  const encodeValue = isStructuredField(field.name) ? encode.encodeStructured : encode.encodeUnstructured;
  return encode.headerLine(field.name, encodeValue(field.value.trim()));
}

/** mixed(alternative(text, related(html, inline parts)), attachments), each level only if needed. */
function contentPart(content: MessageContent, boundary: string): Part {
  const { html, text, attachments } = content;
  const inline = html === undefined ? [] : attachments.filter((part) => part.disposition === "inline");
  const attached = attachments.filter((part) => !inline.includes(part));
  const bodies: Part[] = [];
  if (text !== undefined || html === undefined) bodies.push(textPart("text/plain", text ?? ""));
  if (html !== undefined) {
    const parts = [textPart("text/html", html), ...inline.map(attachmentPart)];
    bodies.push(multipart("related", `${boundary}_r`, parts, '; type="text/html"'));
  }
  const body = multipart("alternative", `${boundary}_a`, bodies);
  return multipart("mixed", `${boundary}_m`, [body, ...attached.map(attachmentPart)]);
}

function multipart(subtype: string, boundary: string, parts: readonly Part[], parameter = ""): Part {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const value = `multipart/${subtype}${parameter}; boundary="${boundary}"`;
  return { header: encode.headerLine("Content-Type", value), boundary, parts };
}

function textPart(contentType: string, text: string): Part {
  const { transferEncoding, bytes } = encodeText(text);
  const header =
    encode.headerLine("Content-Type", `${contentType}; charset=utf-8`) +
    encode.headerLine("Content-Transfer-Encoding", transferEncoding);
  return { header, body: bytes };
}

function attachmentPart({ filename, contentType, contentId, disposition, content }: Attachment): Part {
  const isUnencoded = goesUnencoded(contentType) && isSevenBit(content);
  // Values stored before the validators refused them become a plain file.
  const isSendable =
    checkContentType(contentType) === undefined && goesUnencoded(contentType) === isUnencoded;
  const type = isSendable ? contentType : OCTET_STREAM;
  const hasContentId = contentId !== undefined && checkContentId(contentId) === undefined;
  const header = [
    `Content-Type: ${type}\r\n`,
    encode.headerLine("Content-Transfer-Encoding", isUnencoded ? "7bit" : "base64"),
    hasContentId ? encode.headerLine("Content-ID", `<${contentId}>`) : "",
    `Content-Disposition: ${disposition}${encode.encodeParameter("filename", filename)}\r\n`,
  ].join("");
  return { header, body: isUnencoded ? Buffer.from(content) : base64Lines(content) };
}

function writePart(part: Part, chunks: Buffer[]): void {
  chunks.push(Buffer.from(`${part.header}\r\n`));
  if ("body" in part) {
    chunks.push(part.body);
    return;
  }
  for (const [index, child] of part.parts.entries()) {
    chunks.push(Buffer.from(`${index === 0 ? "" : "\r\n"}--${part.boundary}\r\n`));
    writePart(child, chunks);
  }
  chunks.push(Buffer.from(`\r\n--${part.boundary}--`));
}
