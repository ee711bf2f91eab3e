/** A header of requests, as given on the command line. */
export interface GivenHeader {
  readonly name: string;
  readonly value: string;
}

/** Parses `X-Key: secret`. */
export function headerOf(line: string): GivenHeader {
  const [name = "", ...value] = line.split(":");
  return { name: name.trim(), value: value.join(":").trim() };
}

/**
 * Adds or replaces headers. Present ones without a new value keep their value, which is never shown.
 * @param present names of the present headers
 */
export function headersOf(
  present: readonly { readonly name: string }[],
  given: readonly string[],
): GivenHeader[] {
  const fresh = given.map(headerOf);
  const names = new Set(fresh.map(({ name }) => name.toLowerCase()));
  const rest = present.filter(({ name }) => !names.has(name.toLowerCase()));
  return [...rest.map(({ name }) => ({ name, value: "" })), ...fresh];
}
