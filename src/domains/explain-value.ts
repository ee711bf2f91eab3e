/** What people do to a value on its way into a zone, told from what has become of it. Undefined: none of that. */
export function explainValue(wanted: string, found: string): string | undefined {
  const plain = (text: string) => text.replace(/[\s"\\]+/g, "");
  if (/^".*"$/s.test(found.trim()) && plain(found) === plain(wanted))
    return "The quotation marks have become part of the value: enter it without them.";
  if (found.includes("\\") && plain(found) === plain(wanted))
    return "Backslashes have become part of the value: enter it as it is, without escaping anything.";
  if (plain(found) === plain(wanted))
    return "There are spaces or quotation marks in the value that do not belong there: enter it in one piece.";
  if (plain(found).toLowerCase() === plain(wanted).toLowerCase())
    return "Capital and small letters were changed: the value must stay exactly as it is shown.";
  if (found.length >= 10 && wanted.startsWith(found))
    return `The value ends after ${found.length} of its ${wanted.length} characters: it was cut off on its way. Enter it as several strings of 255 characters at most, if your provider takes no longer ones.`;
  if (found.length >= 10 && plain(wanted).endsWith(plain(found)))
    return "The beginning of the value is missing: enter all of it.";
  return undefined;
}

/** A value within a sentence. */
export function quoted(value: string, most = 80): string {
  return `“${value.length > most ? `${value.slice(0, most - 1)}…` : value}”`;
}
