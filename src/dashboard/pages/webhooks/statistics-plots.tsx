import { useNavigate } from "@tanstack/react-router";
import { stepMs, type WebhookStatistics } from "../../api/webhooks.ts";
import { BarPlot } from "../../parts/bar-plot.tsx";
import { LinePlot } from "../../parts/line-plot.tsx";
import { spanText, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface StatisticsPlotsProps {
  readonly webhookId: string;
  readonly counted: WebhookStatistics;
}

/** Requests to an endpoint and their durations over time. A point opens the deliveries of events in its time. */
export function StatisticsPlots({ webhookId, counted: { step, points } }: StatisticsPlotsProps) {
  const navigate = useNavigate();
  const labels = labelsOf(points, step);
  function open(index: number): void {
    const from = points[index]?.at;
    if (from === undefined) return;
    const until = new Date(Date.parse(from) + (stepMs[step] ?? 0)).toISOString();
    const search = { tab: "deliveries" as const, from, until };
    void navigate({ to: "/webhooks/$webhookId", params: { webhookId }, search });
  }
  const line = (name: "p50" | "p95" | "p99", color: string) => ({
    name,
    color,
    values: points.map(({ attempts }) => attempts.durations?.[`${name}_ms` as const] ?? null),
  });
  return (
    <>
      <BarPlot
        title={t.webhooks.requestsPlot}
        labels={labels}
        series={[
          {
            name: t.webhooks.requestSeries,
            color: "var(--accent)",
            counts: points.map(({ attempts }) => attempts.count),
          },
          {
            name: t.webhooks.failedSeries,
            color: "var(--bad)",
            counts: points.map(({ attempts }) => attempts.failed),
          },
        ]}
        onOpen={open}
        openLabel={t.webhooks.openPoint}
      />
      <LinePlot
        title={t.webhooks.latencyPlot}
        labels={labels}
        lines={[line("p50", "var(--ok)"), line("p95", "var(--accent)"), line("p99", "var(--bad)")]}
        format={spanText}
        onOpen={open}
        openLabel={t.webhooks.openPoint}
      />
      <p className="faint tight">{t.webhooks.pointsOpen}</p>
    </>
  );
}

function labelsOf(points: WebhookStatistics["points"], step: string): string[] {
  const now = new Date();
  // Without seconds.
  return points.map(({ at }) => (step === "day" ? timeText(at, now) : timeText(at, now, true).slice(0, -3)));
}
