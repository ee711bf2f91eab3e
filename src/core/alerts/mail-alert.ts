import type { Clock } from "../../shared/clock.ts";
import { bucketOf, newIdInBucket, newTraceId } from "../../shared/ids.ts";
import { ALERT } from "../../shared/operations.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { emailSubmission } from "../send/email-submission.ts";
import type { Intake } from "../send/intake.ts";
import type { PrepareEmail } from "../send/prepare-email.ts";
import type { AlertEmail } from "./notice-email.ts";

export interface AlertMail extends AlertEmail {
  /** The same, however often it is made: it is stored once. */
  readonly messageId: string;
  /** When what it tells was settled. */
  readonly at: Date;
}

/**
 * Stores a mail of an account's alerts as a message, by the rules that those of keys are held to; one that is there already stays.
 * @throws Fault what submissions are refused with, store.unavailable, store.full
 */
export type MailAlert = (accountId: string, mail: AlertMail) => Promise<void>;

export interface MailAlertOptions {
  readonly prepareEmail: PrepareEmail;
  readonly intake: Pick<Intake, "store">;
  readonly partitionOf: PartitionOf;
  readonly contentRetentionMs: number;
  readonly clock: Pick<Clock, "now">;
}

export function createMailAlert(options: MailAlertOptions): MailAlert {
  const { prepareEmail, intake, partitionOf, contentRetentionMs, clock } = options;
  return async (accountId, { messageId, at, email, templateData, headers }) => {
    const now = clock.now();
    const prepared = await prepareEmail(email, templateData, { accountId, senders: [] }, now);
    const content = { ...prepared.content, headers: [...prepared.content.headers, ...headers] };
    const { message, content: body } = emailSubmission({
      prepared: { ...prepared, content },
      ...{ email, id: messageId, key: { _id: "", accountId }, traceId: newTraceId(at) },
      ...{ operation: ALERT, source: "alert", idempotent: undefined, now, partitionOf, contentRetentionMs },
    });
    // A body of its own: where the message is there already, this one is removed, and that one's must stay.
    const contentId = newIdInBucket("cnt", now, bucketOf(messageId));
    await intake.store({ message: { ...message, contentId }, content: { ...body, id: contentId } });
  };
}
