import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { MARK } from "../../message/header/relay-mark.ts";
import { fault } from "../../shared/fault.ts";
import { listAt, type Notice, notice, parseJson, type ReadNotices, textAt, timeAt } from "./notice.ts";

const SIGNATURE = "x-twilio-email-event-webhook-signature";
const TIMESTAMP = "x-twilio-email-event-webhook-timestamp";

const KINDS: Readonly<Record<string, string>> = {
  bounce: "bounced",
  dropped: "bounced",
  spamreport: "complained",
  open: "opened",
  click: "clicked",
  unsubscribe: "unsubscribed",
  group_unsubscribe: "unsubscribed",
};

/** @param key as SendGrid shows it: SubjectPublicKeyInfo in base 64 @throws Error it is none */
export function sendgridPublicKey(key: string): KeyObject {
  return createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
}

/** SendGrid's event webhook, signed with ECDSA (twilio.com/docs/sendgrid, "Event Webhook Security Features"). */
export function createReadSendgrid(key: KeyObject): ReadNotices {
  return async (headers, body) => {
    const signature = Buffer.from(String(headers[SIGNATURE] ?? ""), "base64");
    const signed = Buffer.concat([Buffer.from(String(headers[TIMESTAMP] ?? "")), body]);
    if (!verify("sha256", signed, key, signature)) throw fault("provider.signature_invalid");
    return listAt({ events: parseJson(body.toString()) }, "events").map(noticeOf);
  };
}

function noticeOf(event: unknown): Notice {
  const name = textAt(event, "event");
  return notice({
    id: textAt(event, "sg_event_id"),
    kind: KINDS[name] ?? name,
    returnPath: textAt(event, MARK),
    recipient: textAt(event, "email"),
    at: timeAt(event, "timestamp"),
    status: textAt(event, "status"),
    detail: textAt(event, "reason"),
    url: textAt(event, "url"),
    userAgent: textAt(event, "useragent"),
    clientAddress: textAt(event, "ip"),
  });
}
