import { createHmac } from "node:crypto";
import { MARK } from "../../message/header/relay-mark.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { equalInConstantTime } from "../../shared/secrets.ts";
import { at, notice, parseJson, REFUSED_BY_PROVIDER, type ReadNotices, textAt, timeAt } from "./notice.ts";

/** The signature is of its time and a random text alone: one that is older could have been taken from another request. */
const MAX_AGE_SECONDS = 86_400;

const KINDS: Readonly<Record<string, string>> = {
  complained: "complained",
  unsubscribed: "unsubscribed",
  opened: "opened",
  clicked: "clicked",
  rejected: "bounced",
};

/** Mailgun's webhooks (documentation.mailgun.com, "Webhooks", "Securing webhooks"). */
export function createReadMailgun(signingKey: string, clock: Pick<Clock, "now">): ReadNotices {
  function check(signature: unknown): void {
    const [timestamp, token] = [textAt(signature, "timestamp"), textAt(signature, "token")];
    const expected = createHmac("sha256", signingKey).update(`${timestamp}${token}`).digest("hex");
    const ageSeconds = Math.abs(clock.now().getTime() / 1000 - Number(timestamp));
    if (ageSeconds <= MAX_AGE_SECONDS && equalInConstantTime(textAt(signature, "signature"), expected))
      return;
    throw fault("provider.signature_invalid");
  }

  return async (_headers, body) => {
    const posted = parseJson(body.toString());
    check(at(posted, "signature"));
    const event = at(posted, "event-data");
    const name = textAt(event, "event");
    const isGivenUp = name === "failed" && textAt(event, "severity") === "permanent";
    const status = at(event, "delivery-status");
    const words =
      textAt(status, "message") || textAt(status, "description") || textAt(event, "reject", "reason");
    const code = textAt(status, "code");
    return [
      notice({
        id: textAt(event, "id"),
        kind: isGivenUp ? "bounced" : (KINDS[name] ?? name),
        returnPath: textAt(event, "user-variables", MARK) || textAt(event, "envelope", "sender"),
        recipient: textAt(event, "recipient"),
        at: timeAt(event, "timestamp"),
        status: textAt(status, "enhanced-code") || (name === "rejected" ? REFUSED_BY_PROVIDER : ""),
        detail: /^[45]\d\d$/.test(code) && !words.startsWith(code) ? `${code} ${words}` : words,
        url: textAt(event, "url"),
        userAgent: textAt(event, "client-info", "user-agent"),
        clientAddress: textAt(event, "ip"),
      }),
    ];
  };
}
