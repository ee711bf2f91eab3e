import { language } from "./language.ts";

const numbers = new Intl.NumberFormat(language);
const percents = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** A number with the separators of the page's language. */
export const numberText = (count: number): string => numbers.format(count);

/** A rate from 0 to 1 as `98.25 %`, without a line break. */
export const percentText = (rate: number): string => `${percents.format(rate * 100)}\u00a0%`;
