import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import {
  type AlertPeriod,
  type AlertStatistics,
  alertPeriods,
  alertStatisticsQuery,
} from "../../api/incidents.ts";
import { CountsPlot, type Span } from "../../parts/counts-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";

const route = getRouteApi("/inside/alerts");

type Counts = AlertStatistics["all"];

const lines = [
  { field: "critical", color: "var(--bad)" },
  { field: "warning", color: "var(--warn)" },
  { field: "info", color: "var(--accent)" },
] as const satisfies readonly { readonly field: keyof Counts; readonly color: string }[];

/** Active alerts by severity over time. A point shows the alerts of its time in the list. */
export function AlertPlot({ period }: { readonly period: AlertPeriod }) {
  const navigate = route.useNavigate();
  const query = useQuery(alertStatisticsQuery(period));
  const plot = {
    lines: lines.map((line) => ({ ...line, name: t.incidents.severities[line.field] ?? line.field })),
    words: t.alerts.plot,
    onOpen: (span: Span) => void navigate({ search: (former) => ({ ...former, ...span }) }),
  };
  return (
    <>
      <nav className="row" aria-label={t.alerts.plot.period}>
        {(Object.keys(alertPeriods) as AlertPeriod[]).map((one) => (
          <Link
            key={one}
            from="/alerts"
            search={(former) => ({ ...former, period: one === "24h" ? undefined : one })}
            className="chip"
            activeProps={{}}
            aria-current={one === period ? "true" : undefined}
            resetScroll={false}
          >
            {one === period ? <b>{t.alerts.plot.periods[one]}</b> : t.alerts.plot.periods[one]}
          </Link>
        ))}
      </nav>
      <StateView query={query} shape={<CountsPlot {...plot} />}>
        {(counted) => <CountsPlot counted={counted} {...plot} />}
      </StateView>
    </>
  );
}
