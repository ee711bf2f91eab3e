import type { Collection, Db } from "mongodb";
import type { JournalEntry } from "./journal-documents.ts";
import { createPacker, type PackedEntries, unpackEntries } from "./packed-entries.ts";

/**
 * Recorded events of messages: those of one transaction of a writer, or a part of them. Counters and
 * the event log read them here, and a search for the remaining events of a writer leaves them out.
 */
export interface EventPageDocument extends PackedEntries {
  /** Ordered by time. Documents of one writer are in the order of its writes. */
  readonly _id: string;
  /** The run of a process that has stored the events. */
  readonly writer: string;
  /** Invalid until the writer has recorded this often. Missing: valid. */
  readonly fold?: number;
  readonly at: Date;
  /** Number of its events. */
  readonly events: number;
}

const HOUR_MS = 3_600_000;
/** Retention of the event log, since the placing. */
export const LOGGED_MS = 72 * HOUR_MS;
/** Maximum number of events of one document: about 70 KB. */
const MAX_EVENTS = 2_000;
/** Maximum number of accounts of one document: programs of schema version 12 count a document in one transaction. */
const MAX_ACCOUNTS = 500;
/** Maximum size of a document, except for one event: long names may differ in each. */
const MAX_BYTES = 256 * 1024;

export const eventPagesOf = (db: Db): Collection<EventPageDocument> => db.collection("eventPages");

/** @param head creates the fields of the next document */
export function packPages(
  entries: readonly JournalEntry[],
  head: () => Pick<EventPageDocument, "_id" | "writer" | "fold" | "at">,
): EventPageDocument[] {
  const pages: EventPageDocument[] = [];
  for (let from = 0; from < entries.length; ) {
    const packer = createPacker();
    const first = from;
    const accounts = new Set<string>();
    do {
      const entry = entries[from++] as JournalEntry;
      packer.add(entry);
      accounts.add(entry.accountId);
    } while (
      from < entries.length &&
      from - first < MAX_EVENTS &&
      accounts.size < MAX_ACCOUNTS &&
      packer.bytes() < MAX_BYTES
    );
    pages.push({ ...head(), events: from - first, ...packer.end() });
  }
  return pages;
}

/** undefined: the page is damaged. */
export function entriesOf(page: PackedEntries): readonly JournalEntry[] | undefined {
  try {
    return unpackEntries(page);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
