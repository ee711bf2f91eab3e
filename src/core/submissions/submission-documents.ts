import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { addressKey } from "../../message/address/address-key.ts";
import { receivedField } from "../../message/header/received-field.ts";
import type { SubmittedHeader } from "../../message/header/submitted-header.ts";
import { SMTP_SUBMIT } from "../../shared/operations.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { IdempotentRequest } from "../send/idempotency.ts";
import { messageDocument } from "../send/message-document.ts";
import type { ReadEnvelope } from "./read-envelope.ts";
import type { OpenSubmission, PreparedSubmission } from "./submission.ts";

/** Scope of idempotency keys, and the operation of messages submitted over SMTP. */
export const SUBMIT_OPERATION = SMTP_SUBMIT;

export interface HeadOptions {
  readonly headerMessageId: string;
  readonly at: Date;
  /** The Received field contains the client. */
  readonly showsClient: boolean;
}

/** Transmitted header: the fields that Hermod adds, then the fields that it keeps. */
export function headOf(
  { envelope, passage, traceId }: OpenSubmission,
  header: SubmittedHeader,
  { headerMessageId, at, showsClient }: HeadOptions,
): Buffer {
  const [recipient, ...others] = envelope.recipients;
  const isOnly = recipient !== undefined && others.length === 0;
  const trace = receivedField({
    ...passage,
    hidesClient: !showsClient,
    id: traceId,
    at,
    ...(isOnly && { recipient: recipient.address }),
  });
  const messageId = header.messageId === undefined ? `Message-ID: ${headerMessageId}\r\n` : "";
  const date = header.hasDate ? "" : `Date: ${at.toUTCString().replace("GMT", "+0000")}\r\n`;
  return Buffer.concat([Buffer.from(trace + messageId + date), header.kept]);
}

/** Whether the MAIL command had SMTPUTF8 (RFC 6531 section 4.3). */
export function saysSmtpUtf8({ passage }: OpenSubmission): boolean {
  return passage.protocol.startsWith("UTF8");
}

interface Accepted {
  readonly policy: PolicyDocument;
  readonly sizeBytes: number;
  readonly idempotent: IdempotentRequest | undefined;
  readonly now: Date;
  readonly partitionOf: PartitionOf;
}

/** One message for each recipient. The first one has the idempotency key. */
export function messageDocuments(submission: PreparedSubmission, accepted: Accepted): MessageDocument[] {
  const { envelope, header, key, traceId, ids, contentId, headerMessageId } = submission;
  const source = submission.passage.clientAddress === "" ? ("grpc" as const) : ("smtp" as const);
  const { mailFrom, recipients, envelopeId, returnContent } = envelope;
  const envelopeFrom = addressKey(mailFrom) === addressKey(header.from) ? undefined : mailFrom;
  const utf8Header = saysSmtpUtf8(submission) && !isAscii(header.kept) ? (true as const) : undefined;
  return recipients.map(({ address, notify, originalRecipient }, index) =>
    messageDocument({
      ...accepted,
      id: ids[index] ?? ids[0],
      key,
      traceId,
      operation: SUBMIT_OPERATION,
      source,
      from: header.from,
      recipient: address,
      ...withoutUndefined({ envelopeFrom, notify, originalRecipient, envelopeId, returnContent, utf8Header }),
      notDelivered: [],
      subject: header.subject,
      contentId,
      headerMessageId,
      tags: [],
      metadata: {},
      idempotent: index === 0 ? accepted.idempotent : undefined,
    }),
  );
}

/** Fingerprint of a submission: the envelope, and every octet of the source. */
export function submissionFingerprint(envelope: ReadEnvelope, sourceHash: string): string {
  const { mailFrom, recipients, envelopeId, returnContent } = envelope;
  const options = recipients.map(({ address, notify, originalRecipient }) => [
    address,
    notify,
    originalRecipient,
  ]);
  const canonical = JSON.stringify([mailFrom, options, envelopeId, returnContent, sourceHash]);
  return createHash("sha256").update(canonical).digest("base64url");
}
