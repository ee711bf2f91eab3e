import type { Db } from "mongodb";
import { idBound } from "../shared/ids.ts";
import type { JournalResource } from "./journal/journal-documents.ts";
import { readEach } from "./read-each.ts";

/** Part of a journal document about one message. */
export interface JournalTailEntry {
  /** Missing: the message itself was stored. */
  readonly eventId?: string;
  readonly messageId: string;
  /** Empty: the account of an unreadable message. */
  readonly accountId: string;
  readonly kind: string;
  readonly at: Date;
  readonly attempt: number;
  readonly category?: string;
}

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

/** The journal for readers of live events. */
export function createJournalTailStore(db: Db) {
  const journal = db.collection<JournalTailDocument>("journal");
  const ENTRY_FIELDS = { projection: { entries: 1, resources: 1 } } as const;

  async function read(
    filter: { readonly _id: object },
    order: 1 | -1,
    limit: number,
  ): Promise<JournalTailDocument[]> {
    // Damaged documents are not returned.
    const { documents } = await readEach<JournalTailDocument>((options) =>
      journal
        .find(filter, { ...ENTRY_FIELDS, ...options })
        .sort({ _id: order })
        .limit(limit),
    );
    return documents;
  }

  return {
    acrossAccounts: {
      /** Oldest first. */
      list: ({ limit, ...span }: JournalSpan) => read({ _id: within(span) }, 1, limit),

      /** Newest first. */
      latest: ({ limit, ...span }: JournalSpan) => read({ _id: within(span) }, -1, limit),

      /** The ids of the newest ones. */
      async listIds({ limit, ...span }: JournalSpan): Promise<string[]> {
        const { documents } = await readEach<JournalTailDocument>((options) =>
          journal
            .find({ _id: within(span) }, { projection: { _id: 1 }, ...options })
            .sort({ _id: -1 })
            .limit(limit),
        );
        return documents.map(({ _id }) => _id);
      },

      /** Oldest first. */
      findMany: (ids: readonly string[]) => read({ _id: { $in: [...ids] } }, 1, ids.length),
    },
  };
}

function within({ fromMs, throughMs }: Omit<JournalSpan, "limit">) {
  return { $gte: idBound("jnl", new Date(fromMs)), $lt: idBound("jnl", new Date(throughMs + 1)) };
}
