import { type Phrase, phrase } from "../shared/phrase.ts";

/** Explains a common mistake of entering a value, from the published value. Undefined: none of them. */
export function explainValue(wanted: string, found: string): Phrase | undefined {
  const plain = (text: string) => text.replace(/[\s"\\]+/g, "");
  if (/^".*"$/s.test(found.trim()) && plain(found) === plain(wanted)) return phrase("txt.quotes");
  if (found.includes("\\") && plain(found) === plain(wanted)) return phrase("txt.backslashes");
  if (plain(found) === plain(wanted)) return phrase("txt.spaces");
  if (plain(found).toLowerCase() === plain(wanted).toLowerCase()) return phrase("txt.letter_case");
  if (found.length >= 10 && wanted.startsWith(found))
    return phrase("txt.cut_off", { count: found.length, total: wanted.length });
  if (found.length >= 10 && plain(wanted).endsWith(plain(found))) return phrase("txt.beginning_missing");
  return undefined;
}

/** Shortens a value within a sentence. */
export function shortened(value: string, most = 80): string {
  return value.length > most ? `${value.slice(0, most - 1)}…` : value;
}
