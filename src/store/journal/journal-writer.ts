import type { Db } from "mongodb";
import { fault } from "../../shared/fault.ts";
import { createIdsInOrder, newId } from "../../shared/ids.ts";
import { guarded } from "../store-fault.ts";
import { later, storeNow } from "../store-time.ts";
import { type JournalDocument, type JournalEntry, journalCollections } from "./journal-documents.ts";

/** A writer that has not been heard of for so long is gone. */
export const WRITER_LEASE_MS = 30_000;
/** A document of the journal, at most, as far as can be told beforehand. */
const MAX_DOCUMENT_BYTES = 192 * 1024;
const MAX_DOCUMENT_ENTRIES = 1_000;
/** What BSON adds to an entry: names of fields, lengths, times. */
const ENTRY_OVERHEAD_BYTES = 160;
/** What is not stored so long after its announcement is not stored: by then others may have stopped looking for it. */
const MAX_AGE_MS = 5 * 60_000;
/** Beyond so many entries the rest is left to others, to be looked up: nothing is lost, and memory stays bounded. */
const MAX_UNCOUNTED = 200_000;

/** One document of this process, until it is counted. `written` → `settled` (or in doubt) → counted by `fold`. */
export interface OpenDocument {
  readonly id: string;
  /** Entries, whatever became of them. */
  readonly size: number;
  /** Undefined: not known yet. `doubt`: nobody knows which of it was stored. Else those that were. */
  happened: readonly JournalEntry[] | "doubt" | undefined;
}

/** One run of the writer: a process begins another one when it finds that others took it for gone. */
export interface Run {
  readonly id: string;
  /** Resolves once the others know of it. */
  readonly known: Promise<void>;
  readonly documents: Map<string, OpenDocument>;
  folds: number;
}

/** What is about to be stored. Whoever announces it settles it. */
export interface Announcement {
  /** Rejects with store.unavailable: nothing must be stored then. */
  readonly written: Promise<void>;
  /**
   * The id of the document that tells of this event or message.
   * @throws Fault store.unavailable: it was announced too long ago
   */
  journalOf(id: string): string;
  /** Says which were stored. Settling again changes nothing. */
  settle(isStored: ((id: string) => boolean) | "doubt"): void;
}

export type JournalWriter = ReturnType<typeof createJournalWriter>;

/** This process's part of the journal. */
export function createJournalWriter(db: Db) {
  const { journal, writers } = journalCollections(db);
  const nextId = createIdsInOrder("jnl");
  let latestMs = 0;
  let uncounted = 0;
  let run: Run | undefined;

  /** Greater than all before it, whatever becomes of the clock. */
  function idAt(at: Date): string {
    latestMs = Math.max(latestMs, at.getTime());
    return nextId(new Date(latestMs));
  }

  /** The present run, or another one when others cannot be told of it. */
  function runAt(at: Date): Run {
    if (run && uncounted < MAX_UNCOUNTED) return run;
    const id = newId("jnw", at);
    const begun: Run = { id, known: tell(id, idAt(at)), documents: new Map(), folds: 0 };
    begun.known.catch(() => leave(begun));
    uncounted = 0;
    run = begun;
    return begun;
  }

  async function tell(id: string, countedThrough: string): Promise<void> {
    const fresh = { folds: 0, countedThrough, open: [] };
    const set = { expiresAt: later(storeNow(), WRITER_LEASE_MS), ...literally(fresh) };
    await guarded(writers.updateOne({ _id: id }, [{ $set: set }], { upsert: true }));
  }

  /** What the run has not counted is left to others. */
  function leave(left: Run): void {
    if (run === left) run = undefined;
  }

  function announce(entries: readonly JournalEntry[]): Announcement {
    const current = runAt(timeOf(entries));
    const groups = split(entries).map((group) => {
      const at = timeOf(group);
      return { document: { _id: idAt(at), writer: current.id, at, entries: group }, at };
    });
    const ids = new Map<string, string>();
    for (const { document } of groups) {
      for (const entry of document.entries) ids.set(idOf(entry), document._id);
      current.documents.set(document._id, {
        id: document._id,
        size: document.entries.length,
        happened: undefined,
      });
    }
    uncounted += entries.length;
    const began = { atMs: performance.now(), wallMs: Date.now() };
    const documents = groups.map(({ document }) => document);

    return {
      written: write(current, documents),
      journalOf(id) {
        // The one clock stands still while the machine sleeps, the other one can be set.
        const ageMs = Math.max(performance.now() - began.atMs, Date.now() - began.wallMs);
        const journalId = ids.get(id);
        if (journalId !== undefined && ageMs <= MAX_AGE_MS) return journalId;
        throw fault("store.unavailable", { internal: "announced too long ago", retryAfterSeconds: 1 });
      },
      settle(isStored) {
        for (const { _id, entries: group } of documents) {
          const open = current.documents.get(_id);
          if (!open || open.happened !== undefined) continue;
          open.happened = isStored === "doubt" ? isStored : group.filter((entry) => isStored(idOf(entry)));
        }
      },
    };
  }

  async function write(current: Run, documents: readonly JournalDocument[]): Promise<void> {
    if (documents.length === 0) return;
    await current.known;
    await guarded(journal.insertMany([...documents], { ordered: false }));
  }

  return {
    announce,
    /** Undefined: nothing was announced yet, or by an earlier run alone. */
    current: () => run,
    /** Later than everything that this process has announced, and before all that it will. */
    boundAt: idAt,
    leave,
    /** Tells that documents of a run are counted, or left to others. */
    forget(from: Run, documents: readonly OpenDocument[]): void {
      for (const { id, size } of documents) {
        from.documents.delete(id);
        if (from === run) uncounted -= size;
      }
    },
  };
}

function idOf({ eventId, messageId }: JournalEntry): string {
  return eventId ?? messageId;
}

/** The present, as far as what happens tells: no clock is asked. */
function timeOf(entries: readonly JournalEntry[]): Date {
  return new Date(entries.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0));
}

function split(entries: readonly JournalEntry[]): JournalEntry[][] {
  const groups: JournalEntry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = sizeOf(entry);
    const last = groups.at(-1);
    if (!last || bytes + size > MAX_DOCUMENT_BYTES || last.length >= MAX_DOCUMENT_ENTRIES) {
      groups.push([entry]);
      bytes = size;
    } else {
      last.push(entry);
      bytes += size;
    }
  }
  return groups;
}

function sizeOf({ eventId = "", messageId, accountId, provider = "", policy = "", tags = [] }: JournalEntry) {
  let bytes = ENTRY_OVERHEAD_BYTES + eventId.length + messageId.length + accountId.length;
  bytes += provider.length + Buffer.byteLength(policy);
  for (const tag of tags) bytes += Buffer.byteLength(tag) + 8;
  return bytes;
}

/** Values for a pipeline's `$set`, none of which is taken for an expression. */
export function literally(fields: Readonly<Record<string, unknown>>): Record<string, { $literal: unknown }> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
