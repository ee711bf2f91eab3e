import { brandColors, contrast, DEFAULT_COLOR } from "../brand-colors.ts";

/** Use of a color in documents, for an editor of labels. */
export interface LabelColors {
  /** Color of bands. */
  readonly fill: string;
  /** Color of text on bands. */
  readonly textOnFill: string;
  /** Contrast ratio of both, rounded down to a tenth: at least 4.5. */
  readonly contrast: number;
  /** Color of headings on white paper. */
  readonly textOnLight: string;
  /** Color of headings on a dark page. */
  readonly textOnDark: string;
  /** The color is not readable as text on white paper, so that headings use a darker one. */
  readonly adjusted: boolean;
}

/** @param color `#rrggbb`; undefined: the default color */
export function labelColors(color: string = DEFAULT_COLOR): LabelColors {
  const { fill, onFill, onLight, onDark } = brandColors(color.toLowerCase());
  return {
    fill,
    textOnFill: onFill,
    contrast: Math.floor(contrast(fill, onFill) * 10) / 10,
    textOnLight: onLight,
    textOnDark: onDark,
    adjusted: onLight !== fill,
  };
}
