import type { Db } from "mongodb";
import { idBound } from "../shared/ids.ts";
import { type EventPageDocument, entriesOf, eventPagesOf } from "./journal/event-pages.ts";
import {
  type JournalDocument,
  type JournalEntry,
  type JournalResource,
  journalCollections,
} from "./journal/journal-documents.ts";
import { readEach } from "./read-each.ts";

/** Part about one event of one message. */
type JournalTailEntry = Omit<JournalEntry, "kind"> & { readonly kind: string };

/** Events that were counted together, or are announced before they are stored. */
export interface JournalTailDocument {
  /** Ordered by time in milliseconds. */
  readonly _id: string;
  readonly entries: readonly JournalTailEntry[];
  /** Other changed resources. Missing: none. */
  readonly resources?: readonly JournalResource[];
}

/** A span of time in milliseconds, both ends inclusive. */
export interface JournalSpan {
  readonly fromMs: number;
  readonly throughMs: number;
  readonly limit: number;
}

type Order = 1 | -1;

/** The journal and the counted events for readers of live events. */
export function createJournalTailStore(db: Db) {
  const { journal } = journalCollections(db);
  const pages = eventPagesOf(db);

  /** Damaged documents are not returned. */
  async function read(filter: { readonly _id: object }, order: Order, limit: number) {
    const [noted, counted] = await Promise.all([
      readEach<JournalDocument>((options) =>
        journal
          .find(filter, { projection: { entries: 1, resources: 1 }, ...options })
          .sort({ _id: order })
          .limit(limit),
      ),
      readEach<EventPageDocument>((options) =>
        pages
          .find(filter, { projection: { names: 1, packed: 1 }, ...options })
          .sort({ _id: order })
          .limit(limit),
      ),
    ]);
    const documents: JournalTailDocument[] = [...noted.documents];
    for (const page of counted.documents) {
      const entries = entriesOf(page);
      if (entries) documents.push({ _id: page._id, entries });
    }
    return inOrder(documents, order).slice(0, limit);
  }

  async function readIds(filter: { readonly _id: object }, limit: number): Promise<string[]> {
    const found = await Promise.all(
      [journal, pages].map((collection) =>
        readEach<{ readonly _id: string }>((options) =>
          collection
            .find(filter, { projection: { _id: 1 }, ...options })
            .sort({ _id: -1 })
            .limit(limit),
        ),
      ),
    );
    return inOrder(
      found.flatMap(({ documents }) => documents),
      -1,
    )
      .slice(0, limit)
      .map(({ _id }) => _id);
  }

  return {
    acrossAccounts: {
      /** Oldest first. */
      list: ({ limit, ...span }: JournalSpan) => read({ _id: within(span) }, 1, limit),

      /** Newest first. */
      latest: ({ limit, ...span }: JournalSpan) => read({ _id: within(span) }, -1, limit),

      /** The ids of the newest ones. */
      listIds: ({ limit, ...span }: JournalSpan) => readIds({ _id: within(span) }, limit),

      /** Oldest first. */
      findMany: (ids: readonly string[]) => read({ _id: { $in: [...ids] } }, 1, ids.length),
    },
  };
}

function inOrder<D extends { readonly _id: string }>(documents: readonly D[], order: Order): D[] {
  return documents.toSorted((one, other) => (one._id < other._id ? -order : order));
}

function within({ fromMs, throughMs }: Omit<JournalSpan, "limit">) {
  return { $gte: idBound("jnl", new Date(fromMs)), $lt: idBound("jnl", new Date(throughMs + 1)) };
}
