/** Explains a common mistake of entering a value, from the published value. Undefined: none of them. */
export function explainValue(wanted: string, found: string): string | undefined {
  const plain = (text: string) => text.replace(/[\s"\\]+/g, "");
  if (/^".*"$/s.test(found.trim()) && plain(found) === plain(wanted))
    return "The quotation marks have become part of the value. Enter it without them.";
  if (found.includes("\\") && plain(found) === plain(wanted))
    return "Backslashes have become part of the value. Enter it without escaping.";
  if (plain(found) === plain(wanted))
    return "The value contains extra spaces or quotation marks. Enter it in one piece.";
  if (plain(found).toLowerCase() === plain(wanted).toLowerCase())
    return "The letter case of the value has changed. Enter the value exactly as shown.";
  if (found.length >= 10 && wanted.startsWith(found))
    return `The value ends after ${found.length} of its ${wanted.length} characters: it was cut off. If your provider limits the length, enter it as several strings of at most 255 characters.`;
  if (found.length >= 10 && plain(wanted).endsWith(plain(found)))
    return "The beginning of the value is missing. Enter the whole value.";
  return undefined;
}

/** Formats a value within a sentence. */
export function quoted(value: string, most = 80): string {
  return `“${value.length > most ? `${value.slice(0, most - 1)}…` : value}”`;
}
