import type { EChartsCoreOption } from "echarts/core";
import type { Plot } from "../document/report-document.ts";
import type { PlotTheme } from "./plot-theme.ts";

const FONT_SIZE = 11;

/** Listings as bars over time. */
export function listingsPlotOption(
  { from, to, ticks, bars }: Extract<Plot, { kind: "listings" }>,
  { fontFamily, ink, muted, grid, critical }: PlotTheme,
  width: number,
): EChartsCoreOption {
  const space = Math.round(width * 0.34);
  const labels = new Map(ticks.map(({ at, label }) => [at - from, label]));
  const rows = bars.toReversed();
  return {
    textStyle: { fontFamily },
    grid: { left: space, right: 34, top: 8, bottom: 26 },
    yAxis: {
      type: "category",
      data: rows.map(({ label }) => label),
      axisLine: { lineStyle: { color: grid } },
      axisTick: { show: false },
      axisLabel: { color: ink, fontFamily, fontSize: FONT_SIZE, width: space - 14, overflow: "truncate" },
    },
    xAxis: {
      type: "value",
      min: 0,
      max: to - from,
      interval: (to - from) / (ticks.length - 1),
      axisLabel: {
        color: muted,
        fontFamily,
        fontSize: FONT_SIZE,
        formatter: (value: number) => nearest(labels, value),
      },
      splitLine: { lineStyle: { color: grid } },
    },
    series: [
      {
        type: "bar",
        stack: "listing",
        barWidth: 10,
        itemStyle: { color: "transparent" },
        data: rows.map((bar) => bar.from - from),
      },
      {
        type: "bar",
        stack: "listing",
        barWidth: 10,
        itemStyle: { color: critical },
        data: rows.map((bar) => bar.to - bar.from),
      },
    ],
  };
}

/** Tick positions are fractions and may be inexact. */
function nearest(labels: ReadonlyMap<number, string>, value: number): string {
  const [first] = [...labels].sort(([one], [other]) => Math.abs(one - value) - Math.abs(other - value));
  return first?.[1] ?? "";
}
