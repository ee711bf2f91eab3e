import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type { TemplateData } from "../../message/template/template-variables.ts";
import type { Clock } from "../../shared/clock.ts";
import { bucketOf, newIdInBucket, newTraceId } from "../../shared/ids.ts";
import type { MessageSource } from "../../shared/message-source.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { emailSubmission } from "./email-submission.ts";
import type { Intake } from "./intake.ts";
import type { PrepareEmail } from "./prepare-email.ts";

/** An e-mail in the form of a submission, with header fields that only Hermod writes. */
export interface WrittenEmail {
  readonly email: Email;
  /** Variables for a template of the account. */
  readonly templateData: TemplateData | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Incident that the mail notifies about, if it is only one. */
  readonly incidentId?: string;
}

export interface MailToStore extends WrittenEmail {
  /** Derived from the content, so that the same mail is stored once. */
  readonly messageId: string;
  /** Time at which the content was settled. */
  readonly at: Date;
}

/**
 * Stores a mail that Hermod writes for an account as a message, by the rules of submissions with keys. An existing
 * message is not changed.
 * @throws Fault of a refused submission, store.unavailable, store.full
 */
export type MailOnce = (accountId: string, mail: MailToStore) => Promise<void>;

export interface MailOnceOptions {
  /** Origin of the messages. */
  readonly operation: string;
  readonly source: MessageSource;
  readonly prepareEmail: PrepareEmail;
  readonly intake: Pick<Intake, "store">;
  readonly partitionOf: PartitionOf;
  readonly contentRetentionMs: number;
  readonly clock: Pick<Clock, "now">;
}

export function createMailOnce(options: MailOnceOptions): MailOnce {
  const { operation, source, prepareEmail, intake, partitionOf, contentRetentionMs, clock } = options;
  return async (accountId, { messageId, at, email, templateData, headers, incidentId }) => {
    const now = clock.now();
    const prepared = await prepareEmail(email, templateData, { accountId, senders: [] }, now);
    const content = { ...prepared.content, headers: [...prepared.content.headers, ...headers] };
    const { message, content: body } = emailSubmission({
      prepared: { ...prepared, content },
      email,
      id: messageId,
      key: { _id: "", accountId },
      traceId: newTraceId(at),
      operation,
      source,
      idempotent: undefined,
      now,
      partitionOf,
      contentRetentionMs,
      ...withoutUndefined({ incidentId }),
    });
    // A separate body: if the message already exists, this body is removed, and the body of the existing message must
    // stay.
    const contentId = newIdInBucket("cnt", now, bucketOf(messageId));
    await intake.store({ message: { ...message, contentId }, content: { ...body, id: contentId } });
  };
}
