const MAX_TEXT = 100;

/** A hostile term may have 64 KB. */
export function shorten(text: string, most = MAX_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The terms that lead to a place, and the term at it. */
export function shownPath(terms: readonly string[]): string {
  return terms.map((one) => shorten(one)).join(" › ");
}
