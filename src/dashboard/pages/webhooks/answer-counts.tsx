import type { WebhookAttempts } from "../../api/webhooks.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { rateText } from "../overview/rates.ts";

const kinds = ["accepted", "status_3xx", "status_4xx", "status_5xx", "no_answer"] as const;

/** Requests by the class of their answer. Classes without a request are left out. */
export function AnswerCounts({ counted }: { readonly counted: WebhookAttempts }) {
  return (
    <section className="card" aria-labelledby="answers">
      <header>
        <h2 id="answers">{t.webhooks.byAnswer}</h2>
      </header>
      <div className="body">
        <dl className="facts even">
          {kinds
            .filter((kind) => counted[kind] > 0)
            .map((kind) => (
              <div key={kind} className="contents">
                <dt>{t.webhooks.answers[kind]}</dt>
                <dd className="num">
                  {numberText(counted[kind])}{" "}
                  <span className="muted">{rateText(counted[kind], counted.count)}</span>
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </section>
  );
}
