import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import {
  type RequestPeriod,
  type RequestStatistics,
  requestPeriods,
  requestStatisticsQuery,
} from "../../api/requests.ts";
import { LinePlot } from "../../parts/line-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

const route = getRouteApi("/inside/requests");
const HOUR_MS = 3_600_000;
const stepMs: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

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
      <StateView query={query}>
        {({ step, points, measured_since: since }) => (
          <LinePlot
            title={t.requests.plot.title}
            note={since ? t.requests.plot.measuredSince(timeText(since, new Date())) : undefined}
            labels={labelsOf(points, step)}
            lines={lines.map(({ name, field, color }) => ({
              name,
              color,
              // A point that ended before the counting began is no zero.
              values: points.map(({ at, counts }) =>
                since && endOf(at, step) <= Date.parse(since) ? null : counts[field],
              ),
            }))}
            format={numberText}
            onOpen={(index) => {
              const from = points[index]?.at;
              if (from === undefined) return;
              const until = new Date(endOf(from, step)).toISOString();
              void navigate({ search: (former) => ({ ...former, from, until }) });
            }}
            openLabel={t.requests.plot.openPoint}
          />
        )}
      </StateView>
    </>
  );
}

const endOf = (at: string, step: string) => Date.parse(at) + (stepMs[step] ?? 0);

function labelsOf(points: RequestStatistics["points"], step: string): string[] {
  const now = new Date();
  // Without seconds.
  return points.map(({ at }) => (step === "day" ? timeText(at, now) : timeText(at, now, true).slice(0, -3)));
}
