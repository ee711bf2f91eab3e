import type { Logger } from "../../shared/logger.ts";
import {
  listAt,
  type Notice,
  notice,
  parseJson,
  REFUSED_BY_PROVIDER,
  type ReadNotices,
  textAt,
  timeAt,
} from "./notice.ts";
import type { Sns } from "./sns.ts";

/** Notices of Amazon SES (docs.aws.amazon.com/ses, "Amazon SNS notifications", "Event publishing"), over SNS. */
export function createReadSes(sns: Sns, log: Pick<Logger, "info">): ReadNotices {
  return async (_headers, body) => {
    const envelope = await sns.verify(body);
    if (envelope.type === "Notification") return noticesOf(parseJson(envelope.message), envelope.id);
    if (envelope.type === "SubscriptionConfirmation") {
      await sns.confirm(envelope);
      log.info({ topic: envelope.topic }, "subscribed to notices of Amazon SES");
    }
    return [];
  };
}

/** One for each recipient that it is about. */
function noticesOf(reported: unknown, id: string): readonly Notice[] {
  const kind = textAt(reported, "notificationType") || textAt(reported, "eventType");
  const about = { id, returnPath: textAt(reported, "mail", "source") };
  switch (kind) {
    case "Bounce": {
      // For every type: SES reports it after it has given up.
      const isForGood = textAt(reported, "bounce", "bounceType") === "Permanent";
      return listAt(reported, "bounce", "bouncedRecipients").map((recipient) =>
        notice({
          ...about,
          kind: "bounced",
          recipient: addressIn(textAt(recipient, "emailAddress")),
          at: timeAt(reported, "bounce", "timestamp"),
          status: textAt(recipient, "status") || (isForGood ? "5.0.0" : "4.0.0"),
          detail: wordsOf(textAt(recipient, "diagnosticCode")) || textAt(reported, "bounce", "bounceSubType"),
        }),
      );
    }
    case "Reject": {
      // SES accepted the message, and found a virus in it: it does not send the message.
      const recipients = listAt(reported, "mail", "destination").map((one) => addressIn(String(one)));
      return (recipients.length > 0 ? recipients : [""]).map((recipient) =>
        notice({
          ...about,
          kind: "bounced",
          recipient,
          status: REFUSED_BY_PROVIDER,
          at: timeAt(reported, "mail", "timestamp"),
          detail: textAt(reported, "reject", "reason"),
        }),
      );
    }
    case "Complaint":
      return listAt(reported, "complaint", "complainedRecipients").map((recipient) =>
        notice({
          ...about,
          kind: isComplaint(reported) ? "complained" : "Complaint not-spam",
          recipient: addressIn(textAt(recipient, "emailAddress")),
          at: timeAt(reported, "complaint", "timestamp"),
        }),
      );
    case "Open":
    case "Click": {
      const name = kind.toLowerCase();
      return [
        notice({
          ...about,
          kind: kind === "Open" ? "opened" : "clicked",
          at: timeAt(reported, name, "timestamp"),
          url: textAt(reported, name, "link"),
          userAgent: textAt(reported, name, "userAgent"),
          clientAddress: textAt(reported, name, "ipAddress"),
        }),
      ];
    }
    default:
      return [notice({ ...about, kind })];
  }
}

/** `not-spam` means the opposite, and an entry of the provider's own list is not a complaint. */
function isComplaint(reported: unknown): boolean {
  const isOfList = textAt(reported, "complaint", "complaintSubType") === "OnAccountSuppressionList";
  return !isOfList && textAt(reported, "complaint", "complaintFeedbackType") !== "not-spam";
}

/** Without the type before it (RFC 3464 section 2.3.6). */
function wordsOf(diagnosticCode: string): string {
  return diagnosticCode.replace(/^smtp;\s*/i, "");
}

/** Recipients may come as `Ada <ada@example.org>`. */
function addressIn(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text;
}
