/** Detects common mistakes when people copy a value into a zone. Undefined: none detected. */
export function explainValue(wanted: string, found: string): string | undefined {
  const plain = (text: string) => text.replace(/[\s"\\]+/g, "");
  if (/^".*"$/s.test(found.trim()) && plain(found) === plain(wanted))
    return "The quotation marks have become part of the value: enter it without them.";
  if (found.includes("\\") && plain(found) === plain(wanted))
    return "Backslashes have become part of the value: enter it as it is, without escaping anything.";
  if (plain(found) === plain(wanted))
    return "The value has extra spaces or quotation marks: enter it in one piece.";
  if (plain(found).toLowerCase() === plain(wanted).toLowerCase())
    return "Upper- and lower-case letters were changed: the value must be exactly as shown.";
  if (found.length >= 10 && wanted.startsWith(found))
    return `The value ends after ${found.length} of its ${wanted.length} characters: it was cut off. If your provider does not accept longer strings, enter it as several strings of at most 255 characters.`;
  if (found.length >= 10 && plain(wanted).endsWith(plain(found)))
    return "The beginning of the value is missing: enter the whole value.";
  return undefined;
}

/** Quotes a value for use in a sentence. */
export function quoted(value: string, most = 80): string {
  return `“${value.length > most ? `${value.slice(0, most - 1)}…` : value}”`;
}
