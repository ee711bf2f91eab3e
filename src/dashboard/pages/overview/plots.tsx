import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { latencyQuery, type Period, type Series } from "../../api/counters.ts";
import { LinePlot } from "../../parts/line-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { spanText, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { rateText } from "./rates.ts";
import { VolumePlot } from "./volume-plot.tsx";

interface PlotsProps {
  readonly period: Period;
  readonly counted: {
    readonly step: string;
    readonly points: readonly string[];
    readonly series: readonly Series[];
  };
}

/** Volume, rates and latency over time. A point opens the messages accepted in its time. */
export function Plots({ period, counted }: PlotsProps) {
  const { step, points, series } = counted;
  const latency = useQuery(latencyQuery(period));
  const open = useOpenPoint();
  const countsOf = (kind: string) => series.find((one) => one.kind === kind)?.counts ?? [];
  const ratesOf = (kind: string, wholeKinds: readonly string[]) =>
    points.map((_, index) => {
      const whole = wholeKinds.reduce((sum, one) => sum + (countsOf(one)[index] ?? 0), 0);
      return whole === 0 ? null : (countsOf(kind)[index] ?? 0) / whole;
    });
  const percent = (rate: number) => rateText(rate, 1);
  return (
    <>
      <VolumePlot labels={labelsOf(points, step)} counted={counted} />
      <LinePlot
        title={t.overview.rates}
        labels={labelsOf(points, step)}
        lines={[
          { name: t.overview.bouncedSeries, color: "var(--bad)", values: ratesOf("bounced", ENDED) },
          {
            name: t.overview.complainedSeries,
            color: "var(--warn)",
            values: ratesOf("complained", ["delivered"]),
          },
          {
            name: t.overview.unsubscribedSeries,
            color: "var(--accent)",
            values: ratesOf("unsubscribed", ["delivered"]),
          },
        ]}
        format={percent}
        onOpen={(index) => open(points[index], step)}
        openLabel={t.overview.openPoint}
      />
      <StateView query={latency}>
        {({ step: of, points: at, series: [total], measured_since: since }) => (
          <LinePlot
            title={t.overview.latency}
            note={since ? t.overview.measuredSince(timeText(since, new Date())) : undefined}
            labels={labelsOf(at, of)}
            lines={[
              { name: "p50", color: "var(--ok)", values: at.map((_, n) => total?.points[n]?.p50_ms ?? null) },
              {
                name: "p95",
                color: "var(--accent)",
                values: at.map((_, n) => total?.points[n]?.p95_ms ?? null),
              },
              {
                name: "p99",
                color: "var(--bad)",
                values: at.map((_, n) => total?.points[n]?.p99_ms ?? null),
              },
            ]}
            format={spanText}
            onOpen={(index) => open(at[index], of)}
            openLabel={t.overview.openPoint}
          />
        )}
      </StateView>
    </>
  );
}

const ENDED = ["delivered", "bounced", "expired", "failed"];

function labelsOf(points: readonly string[], step: string): string[] {
  const now = new Date();
  return points.map((point) =>
    step === "hour" ? timeText(point, now, true).slice(0, -3) : timeText(point, now),
  );
}

function useOpenPoint() {
  const navigate = useNavigate();
  return (from: string | undefined, step: string) => {
    if (from === undefined) return;
    const until = new Date(Date.parse(from) + (step === "hour" ? 3_600_000 : 86_400_000)).toISOString();
    void navigate({ to: "/messages", search: { from, until } });
  };
}
