import type { EChartsCoreOption } from "echarts/core";
import type { Plot } from "../document/report-document.ts";
import type { PlotTheme } from "./plot-theme.ts";

const FONT_SIZE = 11;

/** Messages by provider, each bar split by outcome. */
export function volumePlotOption(
  { bars }: Extract<Plot, { kind: "volume" }>,
  { fontFamily, ink, muted, grid, accent, critical }: PlotTheme,
): EChartsCoreOption {
  const rows = bars.toReversed();
  const parts = [
    { name: "Delivered", color: accent, data: rows.map(({ delivered }) => delivered) },
    { name: "Bounced", color: critical, data: rows.map(({ bounced }) => bounced) },
    { name: "No outcome yet", color: grid, data: rows.map(({ other }) => other) },
  ];
  return {
    textStyle: { fontFamily },
    grid: { left: 90, right: 76, top: 34, bottom: 4 },
    legend: {
      left: 90,
      top: 0,
      itemWidth: 10,
      itemHeight: 10,
      icon: "rect",
      textStyle: { color: muted, fontFamily, fontSize: FONT_SIZE },
    },
    yAxis: {
      type: "category",
      data: rows.map(({ label }) => label),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: ink, fontFamily, fontSize: FONT_SIZE, width: 80, overflow: "truncate" },
    },
    xAxis: { type: "value", axisLabel: { show: false }, splitLine: { show: false } },
    series: parts.map(({ name, color, data }, index) => ({
      type: "bar",
      name,
      stack: "volume",
      barWidth: 14,
      itemStyle: { color },
      data,
      // The total follows the last part, even if that part is empty.
      ...(index === parts.length - 1 && {
        label: {
          show: true,
          position: "right",
          color: ink,
          fontFamily,
          fontSize: FONT_SIZE,
          textBorderWidth: 0,
          formatter: ({ dataIndex }: { readonly dataIndex: number }) => rows[dataIndex]?.total ?? "",
        },
      }),
    })),
  };
}
