import type { Explanation } from "../../api/policies.ts";
import { timeText } from "../../parts/time.tsx";
import { reasonText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";
import { transportTitle } from "./explanation-parts.ts";

type Attempted = NonNullable<Explanation["attempted"]>;

/** The policy that the last attempt of a message used, as it was at that time. */
export function LastAttempt({ attempted }: { readonly attempted: Attempted }) {
  const { attempt, at, explanation } = attempted;
  return (
    <section className="card" aria-label={t.policies.lastAttempt}>
      <header>
        <h2>{t.policies.lastAttempt}</h2>
      </header>
      <div className="body stack">
        <p className="tight">
          <b>{t.policies.attempt(attempt, timeText(at, new Date(), true))}.</b> {reasonText(attempted)}
        </p>
        {explanation && (
          <dl className="facts">
            <dt>{t.policies.itsRule}</dt>
            <dd>{reasonText(explanation.rule)}</dd>
            {explanation.transports.map((transport, index) => (
              <div key={index} className="contents">
                <dt>{t.policies.transport(index + 1)}</dt>
                <dd>
                  {transportTitle(transport)} {reasonText(transport)}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </section>
  );
}
