const rules = new Intl.PluralRules("en");

/** A number with the correct form of its word. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return `${count.toLocaleString("en")} ${rules.select(count) === "one" ? forms.one : forms.other}`;
}
