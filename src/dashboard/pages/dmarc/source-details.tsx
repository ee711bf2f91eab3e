import type { DmarcSource } from "../../api/insights.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { dayText } from "./day-text.ts";

interface SourceDetailsProps {
  readonly source: DmarcSource;
  /** Days in UTC of its numbers. */
  readonly days: readonly string[];
}

const dispositions = ["none", "quarantine", "reject", "other"] as const;

/** The numbers of a source by day, and what receivers did with its mail. */
export function SourceDetails({ source, days }: SourceDetailsProps) {
  const { sums, address_count, domains, messages_by_day: messages, failed_by_day: failed } = source;
  const most = Math.max(1, ...messages);
  const shown = days
    .map((day, index) => ({ day, messages: messages[index] ?? 0, failed: failed[index] ?? 0 }))
    .filter((day) => day.messages > 0);
  return (
    <div className="halves">
      <dl className="facts">
        {shown.map((day) => (
          <div key={day.day} className="contents">
            <dt>{dayText(day.day)}</dt>
            <dd className="num">
              {t.dmarc.ofDay(day.messages, day.failed)}
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" width="100%" height="6" aria-hidden="true">
                <rect width={(day.messages / most) * 100} height="6" fill="var(--line-strong)" />
                <rect width={(day.failed / most) * 100} height="6" fill="var(--bad)" />
              </svg>
            </dd>
          </div>
        ))}
      </dl>
      <dl className="facts">
        <dt>{t.dmarc.addresses}</dt>
        <dd className="num">{numberText(address_count)}</dd>
        <dt>{t.dmarc.domains}</dt>
        <dd>{domains.join(", ")}</dd>
        <dt>{t.dmarc.dkim}</dt>
        <dd className="num">{t.dmarc.of(sums.dkim_aligned, sums.messages)}</dd>
        <dt>{t.dmarc.spf}</dt>
        <dd className="num">{t.dmarc.of(sums.spf_aligned, sums.messages)}</dd>
        {dispositions
          .filter((name) => sums.dispositions[name] > 0)
          .map((name) => (
            <div key={name} className="contents">
              <dt>{t.dmarc.dispositions[name]}</dt>
              <dd className="num">{numberText(sums.dispositions[name])}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
