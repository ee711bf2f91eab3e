import { say } from "../../shared/fault-text.ts";

/** Languages that the texts of reports are written in. */
const DEFAULT_LOCALE = "en";
/** The language, or the language and a region (ISO 3166 or UN M.49). Scripts and extensions would write digits and dates otherwise than the texts. */
const SUPPORTED = /^en(?:-(?:[A-Z]{2}|\d{3}))?$/;
const MAX_TAG = 35;

export const LOCALE_RULE = say("locale_en_en_region_en_gb");

/** @returns the tag in its canonical form; undefined: no report is written in it */
export function supportedLocale(tag: string): string | undefined {
  if (tag.length > MAX_TAG) return undefined;
  try {
    const [locale = ""] = Intl.getCanonicalLocales(tag);
    return SUPPORTED.test(locale) ? locale : undefined;
  } catch {
    return undefined;
  }
}

/** The locale of a report by what is stored: earlier releases also stored locales that no report is written in. */
export function reportLocale(stored: string | undefined): string {
  return (stored !== undefined && supportedLocale(stored)) || DEFAULT_LOCALE;
}
