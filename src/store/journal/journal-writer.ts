import type { Db } from "mongodb";
import { fault } from "../../shared/fault.ts";
import { createIdsInOrder, newId, timeOfId } from "../../shared/ids.ts";
import { guarded } from "../store-fault.ts";
import { later, storeNow } from "../store-time.ts";
import {
  idOfEntry,
  type JournalDocument,
  type JournalEntry,
  journalCollections,
  splitEntries,
} from "./journal-documents.ts";

/** A writer that has not been heard of for so long is gone. */
export const WRITER_LEASE_MS = 30_000;
/** What is announced is found by its time when that lies so far before or behind the last count. */
export const REACH_MS = 30_000;
/** What is not stored so long after its announcement is not stored: by then others may have stopped looking for it. */
const MAX_AGE_MS = 5 * 60_000;
/** Beyond so many entries the rest is left to others, to be looked up: nothing is lost, and memory stays bounded. */
const MAX_UNCOUNTED = 200_000;
/** An installation keeps its events for one time; while that is changed, there are two. */
const MAX_KEPT = 4;

/** An announcement of this process, until it is counted. */
export interface OpenAnnouncement {
  /** What the messages and events carry that are stored because of it. */
  readonly stamp: string;
  readonly entries: readonly JournalEntry[];
  /** Undefined: not known yet. `doubt`: nobody knows which of it was stored. Else those that were. */
  happened: readonly JournalEntry[] | "doubt" | undefined;
}

/** One run of the writer: a process begins another one when it finds that others took it for gone. */
export interface Run {
  readonly id: string;
  /** Resolves once the others know of it. */
  readonly known: Promise<void>;
  /** Times that are added to those of events, and when the others know of them. */
  readonly kept: Map<number, Promise<void>>;
  readonly open: Set<OpenAnnouncement>;
  announcements: number;
  folds: number;
  /** What is announced with a time between them is found by it, and the others know that. */
  fromMs: number;
  throughMs: number;
}

/** An entry, and for how long its event is kept. */
export interface Announced {
  readonly entry: JournalEntry;
  /** Missing: it is no event. */
  readonly keptMs?: number;
}

/** What is about to be stored. Whoever announces it settles it. */
export interface Announcement {
  /** Rejects with store.unavailable: nothing must be stored then. */
  readonly written: Promise<void>;
  /**
   * What this event or message carries as its `journal`.
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
    const [fromMs, throughMs] = [at.getTime() - REACH_MS, at.getTime() + REACH_MS];
    const known = tell(id, fromMs, throughMs);
    const begun: Run = {
      id,
      known,
      kept: new Map(),
      open: new Set(),
      announcements: 0,
      folds: 0,
      fromMs,
      throughMs,
    };
    known.catch(() => leave(begun));
    uncounted = 0;
    run = begun;
    return begun;
  }

  async function tell(id: string, fromMs: number, throughMs: number): Promise<void> {
    const fresh = { folds: 0, from: new Date(fromMs), through: new Date(throughMs) };
    const set = { expiresAt: later(storeNow(), WRITER_LEASE_MS), ...literally(fresh) };
    await guarded(writers.updateOne({ _id: id }, [{ $set: set }], { upsert: true }));
  }

  /** Resolves once the others know that events are kept for so long. */
  function tellKept({ id, known, kept }: Run, ms: number): Promise<void> {
    const former = kept.get(ms);
    if (former) return former;
    const told = known.then(async () => {
      await guarded(writers.updateOne({ _id: id }, { $set: { [`kept.${ms}`]: true } }));
    });
    kept.set(ms, told);
    told.catch(() => kept.delete(ms));
    return told;
  }

  /** What the run has not counted is left to others. */
  function leave(left: Run): void {
    if (run === left) run = undefined;
  }

  function isFound({ fromMs, throughMs, kept }: Run, { entry, keptMs }: Announced): boolean {
    const ms = keyTimeMs(entry);
    if (ms < fromMs || ms > throughMs) return false;
    return keptMs === undefined || kept.has(keptMs) || kept.size < MAX_KEPT;
  }

  function announce(announced: readonly Announced[]): Announcement {
    const current = runAt(timeOf(announced.map(({ entry }) => entry)));
    const stamp = `${current.id}:${(current.announcements++).toString(36)}`;
    const open: OpenAnnouncement = { stamp, entries: [], happened: undefined };
    const found: JournalEntry[] = [];
    const others: JournalEntry[] = [];
    const told: Promise<void>[] = [current.known];
    for (const one of announced) {
      const isStamped = isFound(current, one);
      (isStamped ? found : others).push(one.entry);
      if (isStamped && one.keptMs !== undefined) told.push(tellKept(current, one.keptMs));
    }
    if (found.length > 0) current.open.add(Object.assign(open, { entries: found }));
    uncounted += found.length;
    const journals = new Map(found.map((entry) => [idOfEntry(entry), stamp]));
    const documents = splitEntries(others).map((entries) => documentAhead(current, entries));
    for (const { _id, entries } of documents)
      for (const entry of entries) journals.set(idOfEntry(entry), _id);
    const began = { atMs: performance.now(), wallMs: Date.now() };
    const written = write(told, documents);
    // Whoever announces may have something else to wait for first, and hears of it then.
    written.catch(() => undefined);

    return {
      written,
      journalOf(id) {
        // The one clock stands still while the machine sleeps, the other one can be set.
        const ageMs = Math.max(performance.now() - began.atMs, Date.now() - began.wallMs);
        const name = journals.get(id);
        if (name !== undefined && ageMs <= MAX_AGE_MS) return name;
        throw fault("store.unavailable", {
          internal: "the event was announced too long ago",
          retryAfterSeconds: 1,
        });
      },
      settle(isStored) {
        if (open.happened !== undefined) return;
        open.happened =
          isStored === "doubt" ? isStored : open.entries.filter((entry) => isStored(idOfEntry(entry)));
      },
    };
  }

  /** It is not this process that counts what is told of beforehand, but whoever looks. */
  function documentAhead({ id: writer }: Run, entries: readonly JournalEntry[]): JournalDocument {
    const at = timeOf(entries);
    const _id = idAt(at);
    return { _id, writer, at, entries, stamp: _id, lookAt: ALREADY_DUE };
  }

  async function write(told: readonly Promise<void>[], documents: readonly JournalDocument[]): Promise<void> {
    await Promise.all(told);
    if (documents.length > 0) await guarded(journal.insertMany([...documents], { ordered: false }));
  }

  return {
    announce,
    /** Undefined: nothing was announced yet, or by an earlier run alone. */
    current: () => run,
    idAt,
    leave,
    /** Tells that announcements of a run are counted, or left to others. */
    forget(from: Run, announcements: readonly OpenAnnouncement[]): void {
      for (const one of announcements) {
        from.open.delete(one);
        if (from === run) uncounted -= one.entries.length;
      }
    },
  };
}

/** A time that has come. */
export const ALREADY_DUE = new Date(0);

/** By which the message or the event of an entry is found. */
export function keyTimeMs({ eventId, messageId, at }: JournalEntry): number {
  return eventId === undefined ? timeOfId(messageId).getTime() : at.getTime();
}

/** The present, as far as what happens tells: no clock is asked. */
function timeOf(entries: readonly JournalEntry[]): Date {
  return new Date(entries.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0));
}

/** Values for a pipeline's `$set`, none of which is taken for an expression. */
export function literally(fields: Readonly<Record<string, unknown>>): Record<string, { $literal: unknown }> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
