import type { Installation } from "../../api/installation.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { sizeText } from "../messages/size-text.ts";

/** Limits of one message and of one request. */
export function MessageLimits({ limits }: { readonly limits: Installation["limits"] }) {
  const perKey = limits.key_sends_per_second;
  const rows = [
    [t.limits.message, sizeText(limits.message_bytes)],
    [t.limits.body, sizeText(limits.body_bytes)],
    [t.limits.to, numberText(limits.to)],
    [t.limits.headers, numberText(limits.headers)],
    [t.limits.attachments, numberText(limits.attachments)],
    [t.limits.sendAt, t.limits.days(limits.send_at_days)],
    [t.limits.smtpRecipients, numberText(limits.smtp_recipients)],
    [t.limits.request, sizeText(limits.request_body_bytes)],
    [t.limits.perKey, perKey === null ? t.limits.unlimited : t.limits.perSecond(numberText(perKey))],
  ] as const;
  return (
    <div className="body">
      <dl className="facts wide">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
