import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, MarkLineComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Plot } from "../document/report-document.ts";
import { listingsPlotOption } from "./listings-plot.ts";
import type { PlotTheme } from "./plot-theme.ts";
import { scorePlotOption } from "./score-plot.ts";
import { volumePlotOption } from "./volume-plot.ts";

use([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

const ROW_HEIGHT = 26;

/**
 * Draws a plot as SVG of this width, without scripts and styles. The same plot gives the same bytes.
 * @param theme colors that are CSS variables are inserted afterwards, because echarts supports only colors
 */
export function drawPlot(plot: Plot, theme: PlotTheme, width: number): string {
  const height = heightOf(plot);
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ animation: false, silent: true, ...optionOf(plot, theme, width) });
    return cleanSvg(chart.renderToSVGString(), plot);
  } finally {
    chart.dispose();
  }
}

function optionOf(plot: Plot, theme: PlotTheme, width: number): EChartsCoreOption {
  switch (plot.kind) {
    case "score":
      return scorePlotOption(plot, theme, width);
    case "listings":
      return listingsPlotOption(plot, theme, width);
    case "volume":
      return volumePlotOption(plot, theme);
  }
}

function heightOf(plot: Plot): number {
  return plot.kind === "score" ? 172 : 64 + plot.bars.length * ROW_HEIGHT;
}

/**
 * echarts numbers ids per process, so they would differ between plots. Its hover styles need a style sheet, which the
 * page's policy forbids, like style attributes.
 */
function cleanSvg(svg: string, { id }: Plot): string {
  return svg
    .replace(/<style[^>]*>[\s\S]*?<\/style>/g, "")
    .replace(/ (?:class|pointer-events|ecmeta_\w+|xml:space|xmlns:xlink|baseProfile|version)="[^"]*"/g, "")
    .replace(/ style="([^"]*)"/g, (_, style: string) => attributesOf(style))
    .replace(/\bzr\d+-/g, `${id}-`)
    .replace(/\n+/g, "");
}

function attributesOf(style: string): string {
  return style
    .split(";")
    .map((declaration) => declaration.split(":"))
    .flatMap(([name = "", value]) => (value === undefined ? [] : [` ${name.trim()}="${value.trim()}"`]))
    .join("");
}
