import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import {
  type StatisticsPeriod,
  statisticsPeriods,
  type Webhook,
  webhookStatisticsQuery,
} from "../../api/webhooks.ts";
import { Answer } from "../../parts/answer.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { AnswerCounts } from "./answer-counts.tsx";
import { healthOf } from "./health.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WhyDisabled } from "./why-disabled.tsx";

const route = getRouteApi("/inside/webhooks/$webhookId");
const StatisticsPlots = lazy(async () => ({
  default: (await import("./statistics-plots.tsx")).StatisticsPlots,
}));

/** The health of an endpoint: a sentence, why it is disabled, and its requests over time. */
export function Overview({ webhook }: { readonly webhook: Webhook }) {
  const { period = "24h" } = route.useSearch();
  const statistics = useQuery(webhookStatisticsQuery(webhook.id, period));
  return (
    <>
      {webhook.disabled ? <WhyDisabled webhook={webhook} /> : <HealthSentence webhook={webhook} />}
      <nav className="row" aria-label={t.webhooks.period}>
        {(Object.keys(statisticsPeriods) as StatisticsPeriod[]).map((one) => (
          <Link
            key={one}
            from="/webhooks/$webhookId"
            search={(former) => ({ ...former, period: one === "24h" ? undefined : one })}
            className="chip"
            aria-current={one === period ? "page" : undefined}
            // The address without a period is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {one === period ? <b>{t.webhooks.periods[one]}</b> : t.webhooks.periods[one]}
          </Link>
        ))}
      </nav>
      <div className="two">
        <div className="stack">
          <StateView
            query={statistics}
            empty={{
              when: ({ all }) => all.count === 0,
              view: (
                <div className="card notice">
                  <span className="muted">{t.webhooks.noStatistics}</span>
                </div>
              ),
            }}
          >
            {(counted) => (
              <Suspense fallback={<Pending />}>
                <StatisticsPlots webhookId={webhook.id} counted={counted} />
              </Suspense>
            )}
          </StateView>
        </div>
        <div className="stack">
          {statistics.data && statistics.data.all.count > 0 && <AnswerCounts counted={statistics.data.all} />}
          <WebhookFacts webhook={webhook} />
        </div>
      </div>
    </>
  );
}

/** It completes the page: the plots below report a failure of the statistics. */
function HealthSentence({ webhook }: { readonly webhook: Webhook }) {
  const { data } = useQuery(webhookStatisticsQuery(webhook.id, "24h"));
  const { tone, sentences } = healthOf(webhook, data?.all, new Date());
  if (sentences.length === 0) return null;
  return (
    <Answer tone={tone}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Answer>
  );
}
