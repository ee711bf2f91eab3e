import { say } from "../../shared/fault-text.ts";

/** Languages of the texts of reports. */
const DEFAULT_LOCALE = "en";
/**
 * A language, or a language with a region (ISO 3166 or UN M.49). Scripts and extensions would change digits and dates
 * but not the texts.
 */
const SUPPORTED = /^en(?:-(?:[A-Z]{2}|\d{3}))?$/;
const MAX_TAG = 35;

export const LOCALE_RULE = say("locale_en_en_region_en_gb");

/** @returns the tag in canonical form; undefined: the locale is not supported */
export function supportedLocale(tag: string): string | undefined {
  if (tag.length > MAX_TAG) return undefined;
  try {
    const [locale = ""] = Intl.getCanonicalLocales(tag);
    return SUPPORTED.test(locale) ? locale : undefined;
  } catch {
    return undefined;
  }
}

/** Locale of a report from its stored value: earlier releases also stored unsupported locales. */
export function reportLocale(stored: string | undefined): string {
  return (stored !== undefined && supportedLocale(stored)) || DEFAULT_LOCALE;
}
