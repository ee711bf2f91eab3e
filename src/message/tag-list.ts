/**
 * Parses a tag list (RFC 6376 section 3.2), the form of DKIM and DMARC records: names in lower case, values without surrounding
 * spaces. Undefined: it is malformed, or names a tag twice.
 */
export function parseTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim().toLowerCase();
    if (at < 0 || !/^[a-z][a-z0-9_]*$/.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}

/** Writes the record with each tag separated. */
export function formatTags(tags: ReadonlyMap<string, string>): string {
  return [...tags].map(([name, value]) => `${name}=${value}`).join("; ");
}
