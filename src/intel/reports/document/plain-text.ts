/**
 * A text of a stranger as it may stand in a document: what turns the direction of the text around it, and what no font shows, is a
 * space. Marks that only say what direction a letter has (U+200E, U+200F) stay.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
