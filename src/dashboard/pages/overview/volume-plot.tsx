import { useNavigate } from "@tanstack/react-router";
import type { Series } from "../../api/counters.ts";
import { BarPlot } from "../../parts/bar-plot.tsx";
import { t } from "../../texts/texts.ts";

interface VolumePlotProps {
  readonly labels: readonly string[];
  readonly counted: {
    readonly step: string;
    readonly points: readonly string[];
    readonly series: readonly Series[];
  };
}

/** Delivered and bounced messages over time. A bar opens the messages accepted in its time. */
export function VolumePlot({ labels, counted: { step, points, series } }: VolumePlotProps) {
  const navigate = useNavigate();
  const countsOf = (kind: string) => series.find((one) => one.kind === kind)?.counts ?? points.map(() => 0);
  const captured = countsOf("captured");
  const delivered = countsOf("delivered").map((count, index) => count + (captured[index] ?? 0));
  const stepMs = step === "hour" ? 3_600_000 : 86_400_000;
  return (
    <BarPlot
      title={step === "hour" ? t.overview.byHour : t.overview.byDay}
      labels={labels}
      series={[
        { name: t.overview.deliveredSeries, color: "var(--accent)", counts: delivered },
        { name: t.overview.bouncedSeries, color: "var(--bad)", counts: countsOf("bounced") },
      ]}
      onOpen={(index) => {
        const from = points[index];
        if (from === undefined) return;
        const until = new Date(new Date(from).getTime() + stepMs).toISOString();
        void navigate({ to: "/messages", search: { from, until } });
      }}
      openLabel={t.overview.openPoint}
    />
  );
}
