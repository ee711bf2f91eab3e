import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { countersQuery, type Period, periods } from "../../api/counters.ts";
import { installationQuery } from "../../api/installation.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { Breakdown } from "./breakdown.tsx";
import { Figures } from "./figures.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { Queue } from "./queue.tsx";

const route = getRouteApi("/inside/");
const Plots = lazy(async () => ({ default: (await import("./plots.tsx")).Plots }));

/** Overview of mail: figures compared with the previous period, plots, destinations, the queue, and problems. */
export function OverviewPage() {
  const { period = "24h" } = route.useSearch();
  const now = useQuery(countersQuery({ period }));
  const before = useQuery(countersQuery({ period, back: 1 }));
  const { data: facts } = useQuery(installationQuery);
  return (
    <>
      <PageHead title={t.overview.title} detail={t.overview.compared[period]}>
        <nav className="row" aria-label={t.overview.period}>
          {(Object.keys(periods) as Period[]).map((one) => (
            <Link
              key={one}
              to="/"
              search={(former) => ({ ...former, period: one === "24h" ? undefined : one })}
              className="chip"
              activeProps={{}}
              aria-current={one === period ? "true" : undefined}
            >
              {one === period ? <b>{t.overview.periods[one]}</b> : t.overview.periods[one]}
            </Link>
          ))}
        </nav>
      </PageHead>
      <StateView query={now}>
        {(counted) => (
          <>
            <Figures now={counted.series} before={before.data?.series} limits={facts?.provider_limits} />
            <Suspense fallback={<Loader size="sm" />}>
              <Plots period={period} counted={counted} />
            </Suspense>
            <p className="faint">{t.overview.pointsOpen}</p>
          </>
        )}
      </StateView>
      <div className="two">
        <div className="stack">
          <Breakdown period={period} />
          <Queue />
        </div>
        <NeedsYou />
      </div>
    </>
  );
}
