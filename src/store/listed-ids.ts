import type { Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { type BloomFilter, createBloomFilter } from "./bloom-filter.ts";
import type { SuppressionDocument } from "./documents.ts";
import { readEach } from "./read-each.ts";

/** Which entries the suppression list may have, known without a command. Only where no other process writes to the database. */
export interface ListedIds {
  /** Before a write is sent that may store entries of these ids. */
  expect(ids: readonly string[]): void;
  /** Those of the ids that may be on the list: each of them until all is read that was there before. */
  possible(ids: readonly string[]): readonly string[];
  /**
   * Reads what is there, goes on where it had to stop, and does nothing once it has all.
   * @param signal ends it early
   * @throws Fault store.unavailable
   */
  read(signal: AbortSignal): Promise<void>;
}

/** A few milliseconds of the engine, which does other commands between two pages. */
const READ_AT_ONCE = 250;

/**
 * An id that is stored was read, or expected before it was written, by this process: whichever comes first, both set its bits. What is
 * removed keeps them, and is asked for in vain until the process ends.
 */
export function createListedIds(db: Db, filter: BloomFilter = createBloomFilter()): ListedIds {
  const suppressions = db.collection<SuppressionDocument>("suppressions");
  const mayBeListed = (id: string) => filter.mayHave(id);
  /** Changed by `read` alone: all ids up to this one are read. */
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
        // One whose very id is damaged is found by none.
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
