const rules = new Intl.PluralRules("en");

/** A number with the form of the word that it needs. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return `${count.toLocaleString("en")} ${rules.select(count) === "one" ? forms.one : forms.other}`;
}
