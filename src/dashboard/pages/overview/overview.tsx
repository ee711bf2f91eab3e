import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { countersQuery, type Period, periods } from "../../api/counters.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { Figures } from "./figures.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { Providers } from "./providers.tsx";
import { VolumePlot } from "./volume-plot.tsx";

const route = getRouteApi("/inside/");

/** How mail goes: figures against the period before, volume over time, mail providers, and what needs attention. */
export function OverviewPage() {
  const { period = "24h" } = route.useSearch();
  const now = useQuery(countersQuery({ period }));
  const before = useQuery(countersQuery({ period, back: 1 }));
  return (
    <>
      <PageHead title={t.overview.title} detail={t.overview.compared[period]}>
        <nav className="row" aria-label={t.overview.period}>
          {(Object.keys(periods) as Period[]).map((one) => (
            <Link
              key={one}
              to="/"
              search={one === "24h" ? {} : { period: one }}
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
            <Figures now={counted.series} before={before.data?.series} />
            <VolumePlot counted={counted} />
          </>
        )}
      </StateView>
      <div className="two">
        <Providers period={period} />
        <NeedsYou />
      </div>
    </>
  );
}
