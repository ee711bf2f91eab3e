import { language } from "../../texts/language.ts";
import { t } from "../../texts/texts.ts";

const units = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** A size for people: `820 bytes`, `18.4 kB`, `2.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return t.message.bytes(units.format(bytes));
  if (bytes < 1_000_000) return t.message.kilobytes(units.format(bytes / 1_000));
  return t.message.megabytes(units.format(bytes / 1_000_000));
}
