/**
 * A third-party text in a document. Characters that change the surrounding text direction, and characters without a
 * glyph, become spaces. Marks for the direction of a letter (U+200E, U+200F) stay.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
