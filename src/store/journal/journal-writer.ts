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

/** A writer without a heartbeat for this long counts as ended. */
export const WRITER_LEASE_MS = 30_000;
/** Announced events are found by their time if it is within this distance of the last count. */
export const REACH_MS = 30_000;
/**
 * An event that is not stored within this time of its announcement must not be stored: other processes may have
 * stopped searching for it.
 */
const MAX_AGE_MS = 5 * 60_000;
/** Further entries are left to the search by other processes: nothing is lost, and memory stays bounded. */
const MAX_UNCOUNTED = 200_000;
/** Maximum number of retention times of events in a run. An installation has one, and two during a change. */
const MAX_KEPT = 4;

/** An announcement of this process, until it is counted. */
export interface OpenAnnouncement {
  /** Stamp in the messages and events that are stored because of it. */
  readonly stamp: string;
  readonly entries: readonly JournalEntry[];
  /** Entries that were stored. Undefined: not known yet. `doubt`: the outcome is unknown. */
  happened: readonly JournalEntry[] | "doubt" | undefined;
}

/** One run of the writer. A process begins another one when other processes consider it ended. */
export interface Run {
  readonly id: string;
  /** Resolves when the run is registered for other processes. */
  readonly known: Promise<void>;
  /** Retention times of its events, each with a promise of its registration. */
  readonly kept: Map<number, Promise<void>>;
  readonly open: Set<OpenAnnouncement>;
  announcements: number;
  folds: number;
  /** Registered range of times: announcements within it are found by it. */
  fromMs: number;
  throughMs: number;
}

/** An entry, with the retention time of its event. */
export interface Announced {
  readonly entry: JournalEntry;
  /** Missing: the entry is not an event. */
  readonly keptMs?: number;
}

export interface AnnounceOptions {
  /** Another process will not find the entries by their time. */
  readonly isAhead?: boolean;
}

/** A batch that is about to be stored. The caller that announces it also settles it. */
export interface Announcement {
  /** Rejects with store.unavailable: nothing may be stored then. */
  readonly written: Promise<void>;
  /**
   * Value of the field `journal` of this event or message.
   * @throws Fault store.unavailable: it was announced too long ago
   */
  journalOf(id: string): string;
  /** Reports which ones were stored. Idempotent. */
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

  /** Greater than all previous ids, even if the clock is set back. */
  function idAt(at: Date): string {
    latestMs = Math.max(latestMs, at.getTime());
    return nextId(new Date(latestMs));
  }

  /** The current run, or a new one if the current one can no longer be registered. */
  function runAt(at: Date): Run {
    if (run && uncounted < MAX_UNCOUNTED) return run;
    const id = newId("jnw", at);
    const [fromMs, throughMs] = [at.getTime() - REACH_MS, at.getTime() + REACH_MS];
    const known = report(id, fromMs, throughMs);
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

  async function report(id: string, fromMs: number, throughMs: number): Promise<void> {
    const fresh = { folds: 0, from: new Date(fromMs), through: new Date(throughMs) };
    const set = { expiresAt: later(storeNow(), WRITER_LEASE_MS), ...literally(fresh) };
    await guarded(writers.updateOne({ _id: id }, [{ $set: set }], { upsert: true }));
  }

  /** Resolves when this retention time is registered for other processes. */
  function reportKept({ id, known, kept }: Run, ms: number): Promise<void> {
    const former = kept.get(ms);
    if (former) return former;
    const reported = known.then(async () => {
      await guarded(writers.updateOne({ _id: id }, { $set: { [`kept.${ms}`]: true } }));
    });
    kept.set(ms, reported);
    reported.catch(() => kept.delete(ms));
    return reported;
  }

  /** Leaves the uncounted entries of the run to other processes. */
  function leave(left: Run): void {
    if (run === left) run = undefined;
  }

  function isFound({ fromMs, throughMs, kept }: Run, { entry, keptMs }: Announced): boolean {
    const ms = keyTimeMs(entry);
    if (ms < fromMs || ms > throughMs) return false;
    return keptMs === undefined || kept.has(keptMs) || kept.size < MAX_KEPT;
  }

  function announce(
    announced: readonly Announced[],
    { isAhead = false }: AnnounceOptions = {},
  ): Announcement {
    const current = runAt(timeOf(announced.map(({ entry }) => entry)));
    const stamp = `${current.id}:${(current.announcements++).toString(36)}`;
    const open: OpenAnnouncement = { stamp, entries: [], happened: undefined };
    const found: JournalEntry[] = [];
    const others: JournalEntry[] = [];
    const reports: Promise<void>[] = [current.known];
    for (const one of announced) {
      const isStamped = !isAhead && isFound(current, one);
      (isStamped ? found : others).push(one.entry);
      if (isStamped && one.keptMs !== undefined) reports.push(reportKept(current, one.keptMs));
    }
    if (found.length > 0) current.open.add(Object.assign(open, { entries: found }));
    uncounted += found.length;
    const journals = new Map(found.map((entry) => [idOfEntry(entry), stamp]));
    const documents = splitEntries(others).map((entries) => documentAhead(current, entries));
    for (const { _id, entries } of documents)
      for (const entry of entries) journals.set(idOfEntry(entry), _id);
    const began = { atMs: performance.now(), wallMs: Date.now() };
    const written = write(reports, documents);
    // The caller may wait for other work first, and gets the error afterwards.
    written.catch(() => undefined);

    return {
      written,
      journalOf(id) {
        // The monotonic clock stops while the machine sleeps, and the wall clock can be set.
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

  /** A document that is written ahead is counted by other processes, not by this one. */
  function documentAhead({ id: writer }: Run, entries: readonly JournalEntry[]): JournalDocument {
    const at = timeOf(entries);
    const _id = idAt(at);
    return { _id, writer, at, entries, stamp: _id, lookAt: ALREADY_DUE };
  }

  async function write(
    reports: readonly Promise<void>[],
    documents: readonly JournalDocument[],
  ): Promise<void> {
    await Promise.all(reports);
    if (documents.length > 0) await guarded(journal.insertMany([...documents], { ordered: false }));
  }

  return {
    announce,
    /** Undefined: nothing was announced yet, or only in an earlier run. */
    current: () => run,
    idAt,
    leave,
    /** Removes announcements of a run that were counted or left to other processes. */
    forget(from: Run, announcements: readonly OpenAnnouncement[]): void {
      for (const one of announcements) {
        from.open.delete(one);
        if (from === run) uncounted -= one.entries.length;
      }
    },
  };
}

/** A time in the past. */
export const ALREADY_DUE = new Date(0);

/** Time by which the message or the event of an entry is found. */
export function keyTimeMs({ eventId, messageId, at }: JournalEntry): number {
  return eventId === undefined ? timeOfId(messageId).getTime() : at.getTime();
}

/** The current time according to the entries, without a clock. */
function timeOf(entries: readonly JournalEntry[]): Date {
  return new Date(entries.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0));
}

/** Values for a pipeline's `$set` that are never interpreted as expressions. */
export function literally(fields: Readonly<Record<string, unknown>>): Record<string, { $literal: unknown }> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
