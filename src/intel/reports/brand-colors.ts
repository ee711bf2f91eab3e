/** Color of documents without a brand color. */
export const DEFAULT_COLOR = "#1f3a5f";

/** The brand color, and readable variants of it. */
export interface BrandColors {
  /** The configured color. */
  readonly fill: string;
  /** Black or white, readable on the color. */
  readonly onFill: string;
  /** The most similar color that is readable as text on white paper. */
  readonly onLight: string;
  /** The most similar color that is readable on a dark page. */
  readonly onDark: string;
}

const LIGHT = "#ffffff";
const DARK = "#14171c";
/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;
const STEPS = 20;

/** @param color `#rrggbb` */
export function brandColors(color: string): BrandColors {
  return {
    fill: color,
    onFill: textOn(color),
    onLight: readable(color, LIGHT, "#000000"),
    onDark: readable(color, DARK, "#ffffff"),
  };
}

/** White or almost black, whichever has the higher contrast; black for the few colors on which neither is readable. */
function textOn(color: string): string {
  const best = contrast(color, "#ffffff") >= contrast(color, "#111111") ? "#ffffff" : "#111111";
  return contrast(color, best) >= LEAST_CONTRAST ? best : "#000000";
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Mixes the color with black or white until it is readable. */
function readable(color: string, paper: string, towards: string): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, towards, step / STEPS);
    if (contrast(mixed, paper) >= LEAST_CONTRAST) return mixed;
  }
  return towards;
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, index) => value + ((others[index] ?? 0) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
