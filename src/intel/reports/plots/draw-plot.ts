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
 * Draws a plot as SVG of this width: without scripts and styles, and the same bytes for the same plot.
 * @param theme colours that are CSS variables become such: echarts itself knows colours only
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
 * Ids are numbered through the life of the process, and would differ from plot to plot. Styles for a pointer that hovers need a
 * style sheet, which the policy of a page forbids, as it does attributes of style.
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
