import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import {
  type AlertPeriod,
  type AlertStatistics,
  alertPeriods,
  alertStatisticsQuery,
} from "../../api/incidents.ts";
import { LinePlot } from "../../parts/line-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

const route = getRouteApi("/inside/alerts");
const HOUR_MS = 3_600_000;
const stepMs: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

type Counts = AlertStatistics["all"];

const lines = [
  { severity: "critical", color: "var(--bad)" },
  { severity: "warning", color: "var(--warn)" },
  { severity: "info", color: "var(--accent)" },
] as const satisfies readonly { readonly severity: keyof Counts; readonly color: string }[];

/** Active alerts by severity over time. A point shows the alerts of its time in the list. */
export function AlertPlot({ period }: { readonly period: AlertPeriod }) {
  const navigate = route.useNavigate();
  const query = useQuery(alertStatisticsQuery(period));
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
      <StateView query={query}>
        {({ step, points, measured_since: since }) => (
          <LinePlot
            title={t.alerts.plot.title}
            note={since ? t.alerts.plot.measuredSince(timeText(since, new Date())) : undefined}
            labels={labelsOf(points, step)}
            lines={lines.map(({ severity, color }) => ({
              name: t.incidents.severities[severity] ?? severity,
              color,
              // A point that ended before the counting began is no zero.
              values: points.map(({ at, counts }) =>
                since && endOf(at, step) <= Date.parse(since) ? null : counts[severity],
              ),
            }))}
            format={numberText}
            onOpen={(index) => {
              const from = points[index]?.at;
              if (from === undefined) return;
              const until = new Date(endOf(from, step)).toISOString();
              void navigate({ search: (former) => ({ ...former, from, until }) });
            }}
            openLabel={t.alerts.plot.openPoint}
          />
        )}
      </StateView>
    </>
  );
}

const endOf = (at: string, step: string) => Date.parse(at) + (stepMs[step] ?? 0);

function labelsOf(points: AlertStatistics["points"], step: string): string[] {
  const now = new Date();
  // Without seconds.
  return points.map(({ at }) => (step === "day" ? timeText(at, now) : timeText(at, now, true).slice(0, -3)));
}
