import type { Collection, Db } from "mongodb";
import type { JournalEntry } from "./journal-documents.ts";
import { type PackedEntries, packEntries, type ReadEntry, unpackEntries } from "./packed-entries.ts";

/**
 * Counted events of messages: those of one counting transaction, or a part of them. The event log reports them, and a search
 * for the remaining events of a writer leaves them out.
 */
export interface EventPageDocument extends PackedEntries {
  /** Ordered by time. Documents of one writer are in the order of its writes. */
  readonly _id: string;
  /** The run of a process that has stored the events. */
  readonly writer: string;
  /** Invalid until the writer has counted this often. Missing: valid. */
  readonly fold?: number;
  readonly at: Date;
  readonly expireAt: Date;
}

const HOUR_MS = 3_600_000;
/** Retention of the event log. */
export const TOLD_MS = 72 * HOUR_MS;
/** A page outlives its place in the event log. */
export const PAGE_KEPT_MS = TOLD_MS + HOUR_MS;
/** Maximum number of events of one document: about 50 KB. */
const MAX_EVENTS = 2_000;

export const eventPagesOf = (db: Db): Collection<EventPageDocument> => db.collection("eventPages");

/** @param head creates the fields of the next document */
export function packPages(
  entries: readonly JournalEntry[],
  head: () => Pick<EventPageDocument, "_id" | "writer" | "fold" | "at">,
): EventPageDocument[] {
  const pages: EventPageDocument[] = [];
  for (let from = 0; from < entries.length; from += MAX_EVENTS) {
    const fields = head();
    const expireAt = new Date(fields.at.getTime() + PAGE_KEPT_MS);
    pages.push({ ...fields, expireAt, ...packEntries(entries.slice(from, from + MAX_EVENTS)) });
  }
  return pages;
}

/** undefined: the page is damaged. */
export function entriesOf(page: PackedEntries): readonly ReadEntry[] | undefined {
  try {
    return unpackEntries(page);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
