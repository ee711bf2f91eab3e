/**
 * Reads a list of tags (RFC 6376 section 3.2), as records of DKIM and DMARC are: names in lower case, values without the spaces
 * around them. Undefined: it is none, or names a tag twice.
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

/** The record again, a tag in a place of its own each. */
export function formatTags(tags: ReadonlyMap<string, string>): string {
  return [...tags].map(([name, value]) => `${name}=${value}`).join("; ");
}
