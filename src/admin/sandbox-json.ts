import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { SandboxMessage } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import type { MailAttachment, ParsedMail } from "../message/preview/parse-mail.ts";
import { readHeaderFields } from "../message/preview/read-header-fields.ts";

/** A message in the list. */
export function messageSummary(message: SandboxMessage) {
  return {
    id: message.id,
    sx_trace_id: message.traceId,
    account_id: message.accountId,
    envelope: { from: message.envelopeFrom, to: message.envelopeTo },
    from: message.from,
    subject: message.subject,
    captured_at: isoTime(message.capturedAt),
    size_bytes: message.sizeBytes,
    url: messageUrl(message),
  };
}

/** One message with the decoded content of its source. */
export function messageDetail(message: SandboxMessage, source: Buffer, mail: ParsedMail) {
  const url = messageUrl(message);
  return {
    ...messageSummary(message),
    headers: readHeaderFields(source).fields,
    html: mail.html,
    text: mail.text,
    attachments: mail.attachments.map((attachment, index) => ({
      ...attachmentSummary(attachment),
      url: `${url}/attachments/${index}`,
    })),
    parse_error: mail.parseError,
    html_url: mail.html === null ? null : `${url}/html`,
    source_url: `${url}/source`,
  };
}

function attachmentSummary(attachment: MailAttachment) {
  return {
    filename: attachment.filename,
    content_type: attachment.contentType,
    size_bytes: attachment.content.length,
    content_id: attachment.contentId,
    disposition: attachment.disposition,
  };
}

function messageUrl({ id }: SandboxMessage): string {
  return `/sandbox/messages/${encodeURIComponent(id)}`;
}

function isoTime(at: Timestamp | undefined): string | null {
  return at ? timestampDate(at).toISOString() : null;
}
