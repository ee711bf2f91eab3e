/** What a plot is drawn with: colours as SVG takes them, or as CSS variables where a page has two themes. */
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
