/** The parameters of an address with a list of versions. */
export interface VersionSearch {
  /** Number of the open version. */
  readonly version?: number | undefined;
  /** Numbers of the compared versions. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The parameters of an address that a list of versions knows. */
export function readVersionSearch(search: Readonly<Record<string, unknown>>): VersionSearch {
  const [version, before, after] = [search.version, search.before, search.after].map(numberIn);
  return { ...(version && { version }), ...(before && { before }), ...(after && { after }) };
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
