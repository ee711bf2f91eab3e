import type { WatchCheck } from "../../api/watches.ts";
import { ApiText } from "../../parts/api-text.tsx";
import { wordsOf } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

/** The answers that a result is based on, closed at first. */
export function Evidence({ evidence }: Pick<WatchCheck, "evidence">) {
  if (evidence.length === 0) return null;
  return (
    <details>
      <summary className="faint">{t.watches.evidence(evidence.length)}</summary>
      <ul className="plain">
        {evidence.map(({ name, type, rcode, data, authenticated, server, reason, at }, index) => (
          <li key={`${type} ${name} ${at} ${index}`} className="change">
            <div>
              {t.watches.evidenceOf(name, type)}{" "}
              <span className="muted">
                {[
                  rcode,
                  server && t.watches.answeredBy(server),
                  authenticated === true && t.watches.validated,
                ]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </div>
            {data.map((record) => (
              <div key={record} className="mono">
                {record}
              </div>
            ))}
            {reason && (
              <div className="muted">
                {t.watches.noAnswer}: {wordsOf("lookup_failure", reason) ?? <ApiText>{reason}</ApiText>}
              </div>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
