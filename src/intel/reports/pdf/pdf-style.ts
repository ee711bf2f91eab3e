import { type BrandColors, brandColors } from "../brand-colors.ts";
import type { Tone } from "../document/report-document.ts";
import type { PlotTheme } from "../plots/plot-theme.ts";

/** Colors for paper. Each tone is readable on white. */
export interface PdfStyle {
  readonly brand: BrandColors;
  readonly tones: Readonly<Record<Tone, string>>;
  readonly line: string;
  readonly soft: string;
}

export const POINTS_PER_MM = 72 / 25.4;

export function pdfStyle(brandColor: string): PdfStyle {
  return {
    brand: brandColors(brandColor),
    tones: {
      plain: "#1b1f24",
      muted: "#5b6470",
      good: "#1a6b3a",
      info: "#2f5f8f",
      warning: "#8a5300",
      critical: "#b3241c",
    },
    line: "#d9dde3",
    soft: "#f5f6f8",
  };
}

/** @param fontFamily contains the letters of all labels */
export function plotTheme({ brand, tones, line }: PdfStyle, fontFamily: string): PlotTheme {
  return {
    fontFamily,
    ink: tones.plain,
    muted: tones.muted,
    grid: line,
    accent: brand.onLight,
    good: tones.good,
    critical: tones.critical,
    paper: "#ffffff",
  };
}
