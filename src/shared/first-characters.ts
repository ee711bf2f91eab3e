/** The first characters of a text, without half a character at their end. */
export function firstCharacters(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text;
}
