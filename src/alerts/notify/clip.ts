/**
 * The beginning of a text, with at most this number of UTF-16 units, which is never less than a receiver counts as
 * characters. It does not divide a character.
 */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHalf ? end - 1 : end)}…`;
}

/** Puts lines together into texts of at most this length. A longer line is clipped. */
export function packed(lines: readonly string[], most: number): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const one = clipped(line, most);
    const last = texts.at(-1);
    if (last === undefined || last.length + 1 + one.length > most) texts.push(one);
    else texts[texts.length - 1] = `${last}\n${one}`;
  }
  return texts;
}
