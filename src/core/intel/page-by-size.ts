/** Maximum size of a page as JSON in bytes; a larger entry is a page by itself. */
export const MAX_PAGE_BYTES = 1024 * 1024;

export interface SizedPage<Entry, Described> {
  /** Entries that fit, in their order: at least one if there are any. */
  readonly described: readonly Described[];
  /** The last entry of the page; undefined: there are none. */
  readonly last: Entry | undefined;
  /** Some entries did not fit. */
  readonly isCut: boolean;
}

/** Number of entries that are read and described together; those that do not fit are discarded. */
const AT_ONCE = 10;

/**
 * Takes entries from the first on until the maximum size of a page. Only the few entries that are read together are
 * described in vain.
 * @param entries entries of one page by their number
 */
export async function pageBySize<Entry, Described>(
  entries: readonly Entry[],
  describe: (some: readonly Entry[]) => Promise<readonly Described[]>,
  bytesOf: (described: Described) => number,
  mostBytes = MAX_PAGE_BYTES,
): Promise<SizedPage<Entry, Described>> {
  const described: Described[] = [];
  let bytes = 0;
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    for (const one of await describe(entries.slice(at, at + AT_ONCE))) {
      bytes += bytesOf(one);
      if (bytes > mostBytes && described.length > 0)
        return { described, last: entries[described.length - 1], isCut: true };
      described.push(one);
    }
  }
  return { described, last: entries.at(-1), isCut: false };
}
