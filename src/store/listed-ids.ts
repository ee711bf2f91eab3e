import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { type BloomFilter, createBloomFilter } from "./bloom-filter.ts";
import type { SuppressionDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";

/** Possible entries of the suppression list, kept in memory. Only for a database without other writing processes. */
export interface ListedIds {
  /** Must be called before a write that may store entries with these ids. */
  expect(ids: readonly string[]): void;
  /** The ids among these that may be on the list. Until all existing entries are read, all of them. */
  possible(ids: readonly string[]): readonly string[];
  /**
   * Reads the existing entries, continues where it stopped, and does nothing when all are read.
   * @param signal stops it early
   * @throws Fault store.unavailable
   */
  read(signal: AbortSignal): Promise<void>;
}

/** A few milliseconds of the engine, which executes other commands between two pages. */
const READ_AT_ONCE = 250;

/**
 * This process has either read a stored id, or announced it before its write; both set its bits. A removed id keeps
 * them, and causes needless queries until the process ends.
 */
export function createListedIds(db: Db, filter: BloomFilter = createBloomFilter()): ListedIds {
  const suppressions = db.collection<SuppressionDocument>("suppressions");
  const mayBeListed = (id: string) => filter.mayHave(id);
  /** Only `read` changes it: all ids up to this one are read. */
  let after = "";
  let isWhole = false;

  return {
    expect(ids) {
      for (const id of ids) filter.add(id);
    },

    possible: (ids) => (isWhole ? ids.filter(mayBeListed) : ids),

    async read(signal) {
      while (!isWhole && !signal.aborted) {
        const { documents, unreadable } = await readEach<Pick<SuppressionDocument, "_id">>((options) =>
          suppressions
            .find({ _id: { $gt: after } }, { projection: { _id: 1 }, ...options })
            .sort({ _id: 1 })
            .limit(READ_AT_ONCE),
        );
        const ids = documents.map(({ _id }) => _id);
        // An entry with a damaged id is never found.
        for (const { id, isAddressable } of unreadable) if (isAddressable) ids.push(id);
        for (const id of ids) filter.add(id);
        isWhole = documents.length + unreadable.length < READ_AT_ONCE;
        const last = unreadable.length === 0 ? ids.at(-1) : lastOf(ids);
        if (last !== undefined) after = last;
        else if (!isWhole) throw fault("internal.error", { internal: `no entry after ${after} can be read` });
      }
    },
  };
}

/** In the order of the database, which is that of UTF-8. */
function lastOf(ids: readonly string[]): string | undefined {
  return ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).at(-1);
}
