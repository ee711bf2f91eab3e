import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import {
  type RequestPeriod,
  type RequestStatistics,
  requestPeriods,
  requestStatisticsQuery,
} from "../../api/requests.ts";
import { CountsPlot, type Span } from "../../parts/counts-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";

const route = getRouteApi("/inside/requests");

type Field = keyof RequestStatistics["all"];

const lines = [
  { name: t.requests.plot.accepted, field: "status_2xx", color: "var(--ok)" },
  { name: t.requests.plot.refused, field: "status_4xx", color: "var(--warn)" },
  { name: t.requests.plot.limited, field: "status_429", color: "var(--accent)" },
  { name: t.requests.plot.failed, field: "status_5xx", color: "var(--bad)" },
] as const satisfies readonly { readonly name: string; readonly field: Field; readonly color: string }[];

/** Requests by status over time, of all keys. A point shows the requests of its time in the list. */
export function StatusPlot({ period }: { readonly period: RequestPeriod }) {
  const navigate = route.useNavigate();
  const query = useQuery(requestStatisticsQuery(period));
  const plot = {
    lines,
    words: t.requests.plot,
    onOpen: (span: Span) => void navigate({ search: (former) => ({ ...former, ...span }) }),
  };
  return (
    <>
      <nav className="row" aria-label={t.requests.plot.period}>
        {(Object.keys(requestPeriods) as RequestPeriod[]).map((one) => (
          <Link
            key={one}
            from="/requests"
            search={(former) => ({ ...former, period: one === "24h" ? undefined : one })}
            className="chip"
            activeProps={{}}
            aria-current={one === period ? "true" : undefined}
            resetScroll={false}
          >
            {one === period ? <b>{t.requests.plot.periods[one]}</b> : t.requests.plot.periods[one]}
          </Link>
        ))}
      </nav>
      <StateView query={query} shape={<CountsPlot {...plot} />}>
        {(counted) => <CountsPlot counted={counted} {...plot} />}
      </StateView>
    </>
  );
}
