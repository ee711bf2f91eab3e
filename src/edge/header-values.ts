/**
 * Every value that a request has for a header, each once: Node's `headers` keeps the first of some and joins others.
 * @param rawHeaders names and values in turn
 * @param name in lower case
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? "";
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    const value = (rawHeaders[at + 1] ?? "").trim();
    if (!values.includes(value)) values.push(value);
  }
  return values;
}
