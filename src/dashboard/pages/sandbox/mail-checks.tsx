import { useQuery } from "@tanstack/react-query";
import { type MailCheck, sandboxChecksQuery } from "../../api/sandbox.ts";
import { type Tone, ToneIcon } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<MailCheck["severity"], Tone>> = {
  ok: "ok",
  info: "info",
  warning: "warn",
  problem: "bad",
};

/** The four checks of a message, each with its severity, a sentence and a remedy. */
export function MailChecks({ id }: { readonly id: string }) {
  const query = useQuery(sandboxChecksQuery(id));
  return (
    <StateView query={query}>
      {({ data }) => (
        <div className="stack">
          {data.map((check) => (
            <Check key={check.kind} check={check} />
          ))}
        </div>
      )}
    </StateView>
  );
}

function Check({ check }: { readonly check: MailCheck }) {
  const { kind, severity, summary, findings, findings_count } = check;
  return (
    <section aria-labelledby={`check-${kind}`}>
      <div className="spread">
        <h3 id={`check-${kind}`} className="tight">
          {t.sandbox.checkKinds[kind] ?? kind}
        </h3>
        <StateBadge tone={tones[severity]}>{t.sandbox.severities[severity] ?? severity}</StateBadge>
      </div>
      <p className="muted tight">{ownText(t.server.checkSummaries, `${kind}.${severity}`) ?? summary}</p>
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map((one) => (
            <li key={`${one.code} ${one.subject}`} className={tones[one.severity]}>
              <ToneIcon tone={tones[one.severity]} />
              <div>
                {one.subject !== "" && <span className="mono wrapped">{one.subject}</span>}
                <p className="tight">
                  <span className="skip-text">{t.sandbox.severities[one.severity]}: </span>
                  {ownText(t.server.findings, one.code) ?? one.message}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {findings_count > findings.length && (
        <p className="faint tight">{t.sandbox.moreFindings(findings_count - findings.length)}</p>
      )}
    </section>
  );
}
