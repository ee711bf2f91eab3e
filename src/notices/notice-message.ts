import { domainOf } from "../message/address/addresses.ts";
import { composeDsn } from "../message/dsn/compose-dsn.ts";
import type { DsnOriginal } from "../message/dsn/dsn.ts";
import { DSN_SUBJECTS } from "../message/dsn/dsn-text.ts";
import { noticeIdOf } from "../message/dsn/notice-id.ts";
import { bucketOf, newIdInBucket } from "../shared/ids.ts";
import { DSN } from "../shared/operations.ts";
import type { PartitionOf } from "../shared/partition.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import type { Notice } from "./notice-of.ts";
import { envelopeSender } from "./wants-notice.ts";

export interface NoticeMessageInput {
  readonly notice: Notice;
  /** Original message as it was submitted; undefined if it no longer exists. */
  readonly source: Buffer | undefined;
  /** Routing policy; undefined if the account has none. */
  readonly policy: PolicyDocument | undefined;
  /** Domain of `mailer-daemon@`; undefined: the domain of the sender. */
  readonly domain: string | undefined;
  /** Name of this host; undefined if it has no public name. */
  readonly reportingMta: string | undefined;
  readonly partitionOf: PartitionOf;
}

/** Notice as a message of the queue, with its octets. */
export interface NoticeMessage {
  readonly message: MessageDocument;
  readonly source: Buffer;
}

/** Id of the notice: one for each message and result, so that a delay or a bounce is reported only once. */
export function noticeId({ message, facts }: Pick<Notice, "message" | "facts">): string {
  return noticeIdOf(message._id, facts.action);
}

/**
 * Writes a notice from the null sender to the envelope sender of the original message.
 * @throws TypeError if that is not an address
 */
export function noticeMessage({ notice, policy, partitionOf, ...input }: NoticeMessageInput): NoticeMessage {
  const { message: about, facts, at, sendAt } = notice;
  const { accountId, keyId } = about;
  const { domain = domainOf(about.from) } = input;
  const id = noticeId(notice);
  const bucket = bucketOf(id);
  const from = `mailer-daemon@${domain}`;
  const headerMessageId = `<${id}@${domain}>`;
  const recipient = envelopeSender(about);
  const recipientDomain = domainOf(recipient);
  const policyName = policy?.name ?? about.policy;
  const source = composeDsn({
    facts,
    original: originalOf(about, input.source),
    to: recipient,
    from,
    messageId: headerMessageId,
    date: sendAt ?? at,
    reportingMta: input.reportingMta ?? domain,
  });
  const message: MessageDocument = {
    _id: id,
    bucket,
    accountId,
    keyId,
    traceId: id.replace("msg", "sx"),
    operation: DSN,
    source: "system",
    noticeOf: about._id,
    state: sendAt ? "scheduled" : "queued",
    from,
    envelopeFrom: "",
    recipient,
    // RFC 3461 section 6.2.
    notify: ["never"],
    recipientDomain,
    notDelivered: [],
    subject: DSN_SUBJECTS[facts.action],
    policy: policyName,
    // One body per try. A duplicate does no harm and expires.
    contentId: newIdInBucket("cnt", at, bucket),
    sizeBytes: source.length,
    headerMessageId,
    tags: [],
    metadata: {},
    partition: partitionOf(accountId, policyName, recipientDomain),
    priority: policy?.priority ?? "transactional",
    attempts: 0,
    nextAttemptAt: sendAt ?? at,
    ...(sendAt && { sendAt }),
    createdAt: at,
    updatedAt: at,
  };
  return { message, source };
}

function originalOf(about: MessageDocument, source: Buffer | undefined): DsnOriginal {
  const { createdAt: arrivedAt, subject, headerMessageId: messageId, envelopeId, returnContent } = about;
  return {
    arrivedAt,
    subject,
    messageId,
    ...withoutUndefined({ envelopeId, returnContent, source }),
  };
}
