import type { Db } from "mongodb";
import { idBound } from "../shared/ids.ts";
import type { JournalResource } from "./journal/journal-documents.ts";
import { readEach } from "./read-each.ts";

/** What a document of the journal tells of one message. */
export interface JournalTailEntry {
  /** Missing: the message itself was stored. */
  readonly eventId?: string;
  readonly messageId: string;
  /** Empty: that of a message that cannot be read. */
  readonly accountId: string;
  readonly kind: string;
  readonly at: Date;
  readonly attempt: number;
  readonly category?: string;
}

/** What was counted together, or is told of before it is stored. */
export interface JournalTailDocument {
  /** In the order of time to the millisecond. */
  readonly _id: string;
  readonly entries: readonly JournalTailEntry[];
  /** What else has changed. Missing: nothing. */
  readonly resources?: readonly JournalResource[];
}

/** A span of time, to the millisecond, both ends within it. */
export interface JournalSpan {
  readonly fromMs: number;
  readonly throughMs: number;
  readonly limit: number;
}

/** The journal, as those read it who want to hear of what happens. */
export function createJournalTailStore(db: Db) {
  const journal = db.collection<JournalTailDocument>("journal");
  const TOLD = { projection: { entries: 1, resources: 1 } } as const;

  async function read(
    filter: { readonly _id: object },
    order: 1 | -1,
    limit: number,
  ): Promise<JournalTailDocument[]> {
    // What is damaged is told to nobody.
    const { documents } = await readEach<JournalTailDocument>((options) =>
      journal
        .find(filter, { ...TOLD, ...options })
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
