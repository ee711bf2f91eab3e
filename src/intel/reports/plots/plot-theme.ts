/** Colors of a plot: SVG colors, or CSS variables for a page with two themes. */
export interface PlotTheme {
  readonly fontFamily: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly accent: string;
  readonly good: string;
  readonly critical: string;
  readonly paper: string;
}
