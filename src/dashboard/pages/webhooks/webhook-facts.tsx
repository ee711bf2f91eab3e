import { Link } from "@tanstack/react-router";
import type { Webhook } from "../../api/webhooks.ts";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

/** The filters and limits of an endpoint beside its plots. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, types, tags, policies, ordered, rate_per_second, headers } = webhook;
  const { version, created_at, updated_at, secrets } = webhook;
  const algorithm = secrets[0]?.algorithm ?? "";
  return (
    <section className="card" aria-labelledby="endpoint">
      <header>
        <h2 id="endpoint">{t.webhooks.facts}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <Fact name={t.webhooks.types}>
            {types.length === 0 ? (
              t.webhooks.allTypes
            ) : (
              <div className="stack small-gap">
                {types.map((type) => (
                  <div key={type}>
                    <Link to="/webhooks/events" search={{ type }} className="link">
                      {type}
                    </Link>
                  </div>
                ))}
              </div>
            )}
          </Fact>
          {tags.length > 0 && <Fact name={t.webhooks.tags}>{tags.join(", ")}</Fact>}
          {policies.length > 0 && <Fact name={t.webhooks.policies}>{policies.join(", ")}</Fact>}
          {ordered && <Fact name={t.webhooks.order}>{t.webhooks.ordered}</Fact>}
          <Fact name={t.webhooks.rate}>{rate_per_second ?? t.webhooks.unlimited}</Fact>
          {headers.length > 0 && (
            <Fact name={t.webhooks.headers}>{headers.map(({ name }) => name).join(", ")}</Fact>
          )}
          <Fact name={t.webhooks.algorithm}>{t.webhooks.algorithms[algorithm] ?? algorithm}</Fact>
          <Fact name={t.webhooks.version}>{version}</Fact>
          <Fact name={t.webhooks.createdAt}>
            <Time at={created_at} withDay />
          </Fact>
          <Fact name={t.webhooks.changedAt}>
            <Time at={updated_at} withDay />
          </Fact>
          <Fact name={t.webhooks.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}
