import type { Target } from "../../api/targets.ts";
import { Fact } from "../../parts/fact.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { kindText } from "./target-state.tsx";

/** The fields of a target beside its notices. */
export function Facts({ target }: { readonly target: Target }) {
  const { id, host, headers, rate_per_second: rate, created_at: created, updated_at: updated } = target;
  const { last_delivered_at: delivered, last_failed_at: failed } = target;
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.common.details}</h2>
      </header>
      <div className="body">
        <dl className="facts">
          <Fact name={t.targets.kind}>{kindText(target)}</Fact>
          <Fact name={t.targets.host}>{host}</Fact>
          {headers.length > 0 && <Fact name={t.webhooks.headers}>{headers.join(", ")}</Fact>}
          <Fact name={t.targets.rate}>{t.targets.perSecond(rate)}</Fact>
          {delivered && (
            <Fact name={t.targets.lastDelivered}>
              <Time at={delivered} withDay />
            </Fact>
          )}
          {failed && (
            <Fact name={t.targets.lastFailed}>
              <Time at={failed} withDay />
            </Fact>
          )}
          <Fact name={t.webhooks.createdAt}>
            <Time at={created} withDay />
          </Fact>
          <Fact name={t.webhooks.changedAt}>
            <Time at={updated} withDay />
          </Fact>
          <Fact name={t.targets.id}>
            <span className="mono">{id}</span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}
