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
  /** The message that it tells of, as it was submitted; undefined: it is gone. */
  readonly source: Buffer | undefined;
  /** How it leaves; undefined: the account has no policy any more. */
  readonly policy: PolicyDocument | undefined;
  /** The domain of `mailer-daemon@`; undefined: the sender's. */
  readonly domain: string | undefined;
  /** The name of this host; undefined: it has none that means something elsewhere. */
  readonly reportingMta: string | undefined;
  readonly partitionOf: PartitionOf;
}

/** A notice as a message of the queue, and its octets. */
export interface NoticeMessage {
  readonly message: MessageDocument;
  readonly source: Buffer;
}

/** There is one for each message and outcome: a delay is told once, and so is a bounce that is reported again. */
export function noticeId({ message, facts }: Pick<Notice, "message" | "facts">): string {
  return noticeIdOf(message._id, facts.action);
}

/**
 * Writes a notice, from the null sender to the envelope sender of the message that it tells of.
 * @throws TypeError if that is no address
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
    // One of its own for each try: a body that is there twice does no harm, and goes in time.
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
