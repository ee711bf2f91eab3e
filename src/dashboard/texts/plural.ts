import { language } from "./language.ts";
import { numberText } from "./number-text.ts";

const rules = new Intl.PluralRules(language);

/** A number with the correct form of its word. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return `${numberText(count)} ${rules.select(count) === "one" ? forms.one : forms.other}`;
}
