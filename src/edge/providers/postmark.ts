import { MARK } from "../../message/header/relay-mark.ts";
import { at, type Notice, notice, parseJson, type ReadNotices, textAt, timeAt } from "./notice.ts";

/** Types of bounces after which Postmark has given up, with the default status. */
const GIVEN_UP: Readonly<Record<string, string>> = {
  HardBounce: "5.1.1",
  BadEmailAddress: "5.1.3",
  ManuallyDeactivated: "5.7.1",
  SoftBounce: "4.0.0",
  DnsError: "4.4.4",
  Blocked: "5.7.1",
  SpamNotification: "5.7.1",
  DMARCPolicy: "5.7.26",
};

/** Postmark's webhooks (postmarkapp.com/developer/webhooks). They are not signed: only the secret path authenticates them. */
export const readPostmark: ReadNotices = async (_headers, body) => [noticeOf(parseJson(body.toString()))];

function noticeOf(posted: unknown): Notice {
  const record = textAt(posted, "RecordType");
  const reported = {
    id: textAt(posted, "ID") || `${textAt(posted, "MessageID")}.${record}.${textAt(posted, "ReceivedAt")}`,
    kind: record,
    returnPath: textAt(posted, "Metadata", MARK),
    recipient: textAt(posted, "Email") || textAt(posted, "Recipient"),
  };
  switch (record) {
    case "Bounce": {
      const type = textAt(posted, "Type");
      if (type === "SpamComplaint")
        return notice({ ...reported, kind: "complained", at: timeAt(posted, "BouncedAt") });
      const status = GIVEN_UP[type];
      const detail = textAt(posted, "Details") || textAt(posted, "Description");
      if (status === undefined) return notice({ ...reported, kind: `Bounce ${type}` });
      return notice({ ...reported, kind: "bounced", at: timeAt(posted, "BouncedAt"), status, detail });
    }
    case "SpamComplaint":
      return notice({ ...reported, kind: "complained", at: timeAt(posted, "BouncedAt") });
    case "SubscriptionChange": {
      const isLeft = at(posted, "SuppressSending") === true;
      const isOwn = textAt(posted, "SuppressionReason") === "ManualSuppression";
      return notice({
        ...reported,
        kind: isLeft && isOwn ? "unsubscribed" : record,
        at: timeAt(posted, "ChangedAt"),
      });
    }
    case "Open":
    case "Click":
      return notice({
        ...reported,
        kind: record === "Open" ? "opened" : "clicked",
        at: timeAt(posted, "ReceivedAt"),
        url: textAt(posted, "OriginalLink"),
        userAgent: textAt(posted, "UserAgent"),
        clientAddress: textAt(posted, "Geo", "IP"),
      });
    default:
      return notice(reported);
  }
}
