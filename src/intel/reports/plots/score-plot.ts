import type { EChartsCoreOption } from "echarts/core";
import type { Plot } from "../document/report-document.ts";
import type { PlotTheme } from "./plot-theme.ts";

const FONT_SIZE = 11;
/** Width of a date, with space around it. */
const LABEL_WIDTH = 120;

/** Scores over time, from 0 to 100, with a mark at each model change: scores of different models are not comparable. */
export function scorePlotOption(
  { points }: Extract<Plot, { kind: "score" }>,
  { fontFamily, ink, muted, grid, accent, paper }: PlotTheme,
  width: number,
): EChartsCoreOption {
  const label = { color: muted, fontFamily, fontSize: FONT_SIZE };
  const changes = points.flatMap(({ model }, index) => {
    const former = points[index - 1];
    return former && former.model !== model ? [{ index, model }] : [];
  });
  // One line for each model, without a connection between them.
  const models = [...new Set(points.map(({ model }) => model))];
  const last = points.findLastIndex(({ value }) => value !== null);
  return {
    textStyle: { fontFamily },
    grid: { left: 34, right: 40, top: 16, bottom: 26 },
    xAxis: {
      type: "category",
      boundaryGap: false,
      data: points.map(({ label: text }) => text),
      axisLine: { lineStyle: { color: grid } },
      axisTick: { show: false },
      axisLabel: {
        ...label,
        hideOverlap: true,
        interval: interval(points.length, Math.max(2, Math.floor(width / LABEL_WIDTH))),
        alignMinLabel: "left",
        alignMaxLabel: "right",
      },
    },
    yAxis: {
      type: "value",
      min: 0,
      max: 100,
      interval: 25,
      axisLabel: label,
      splitLine: { lineStyle: { color: grid } },
    },
    series: models.map((model, index) => ({
      type: "line",
      data: points.map((point, at) =>
        point.model !== model
          ? null
          : at === last
            ? { value: point.value, symbol: "circle", symbolSize: 8, label: { show: true } }
            : point.value,
      ),
      connectNulls: true,
      symbol: "circle",
      symbolSize: points.length > 2 ? 0.1 : 6,
      itemStyle: { color: accent, borderColor: accent, borderWidth: 0 },
      lineStyle: { color: accent, width: 2.5 },
      areaStyle: { color: accent, opacity: 0.08 },
      label: {
        position: "right",
        color: ink,
        fontFamily,
        fontSize: 13,
        fontWeight: "bold",
        textBorderWidth: 0,
      },
      ...(index === 0 &&
        changes.length > 0 && {
          markLine: {
            symbol: "none",
            lineStyle: { color: muted, type: "dashed", width: 1 },
            data: changes.map((change) => ({
              xAxis: change.index,
              label: {
                formatter: `score model ${change.model}`,
                position: "end",
                color: muted,
                fontFamily,
                fontSize: FONT_SIZE,
                textBorderWidth: 0,
                textBorderColor: paper,
              },
            })),
          },
        }),
    })),
  };
}

/** Days between labels for about this number of labels, including the first and the last day. */
function interval(days: number, labels: number): (index: number) => boolean {
  const step = Math.max(1, Math.ceil((days - 1) / (labels - 1)));
  return (index) => index === days - 1 || (index % step === 0 && days - 1 - index >= step * 0.8);
}
