// Open pages are notified from the journal of the counters, which is written once a second anyway, so notifications cost
// no write.

import type { Clock } from "../../shared/clock.ts";
import { timeOfId } from "../../shared/ids.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Position } from "./position.ts";

/** Event of a message. */
export interface Change {
  /** Id of the event, the same in every repetition. */
  readonly id: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly kind: string;
  readonly at: Date;
  readonly attempt: number;
  readonly category: string;
}

/** Changes in one document of the journal. */
export interface LiveEvent {
  readonly position: Position;
  readonly changes: readonly Change[];
  /** Missing: no other resource has changed. */
  readonly resources?: readonly ResourceChange[];
}

/** A created, changed or removed job, domain or incident, or a webhook endpoint with changed deliveries. */
export interface ResourceChange {
  readonly accountId: string;
  readonly kind: string;
  readonly id: string;
}

/** New documents of one read. */
export interface TailBatch {
  /** Each is after the previous one. */
  readonly events: readonly LiveEvent[];
  /** Position after all of them. */
  readonly position: Position;
  /** Set if the tail has restarted: all changes after this position are reported, and none before it. */
  readonly since?: Position;
}

export interface JournalTail {
  /** Reads the last minute, as far as it fits into memory. @throws Fault store.unavailable */
  begin(): Promise<TailBatch>;
  /** Reads new documents; it can be called again after a fault. @throws Fault store.unavailable */
  next(): Promise<TailBatch>;
}

/**
 * After this time, a document is usually stored, whichever process wrote it and with whichever clock, so that changes
 * are reported in the order of time.
 */
const SETTLE_MS = 1_000;
/** A document that appears later than that is reported late; after this time, it is not reported. */
const REREAD_MS = 10_000;
/** Time for which a position can be resumed. */
const REACH_MS = 60_000;
/** Each may have some hundred KB. */
const MAX_DOCUMENTS = 300;
const MAX_BEGIN_DOCUMENTS = 300;
const MAX_REREAD_IDS = 5_000;
const MAX_LATE_DOCUMENTS = 50;
/** A tail that is further behind restarts. */
const MAX_BEHIND_MS = 10_000;
/** Number of changes with recognized repetitions: a change is reported again if it was not known to be stored. */
const MAX_KNOWN_CHANGES = 50_000;

interface TailParts {
  readonly source: AcrossAccounts["journalTail"];
  readonly clock: Pick<Clock, "now">;
}

/** Reads the journal of all accounts while it grows, written by any process. */
export function createJournalTail({ source, clock }: TailParts): JournalTail {
  let position: Position = { throughMs: 0, late: 0 };
  /** Reported documents of the period that is read again. */
  const seen = new Map<string, number>();
  const known = new Set<string>();

  const settledMs = () => clock.now().getTime() - SETTLE_MS;
  const timeOf = ({ _id }: { readonly _id: string }) => timeOfId(_id).getTime();
  const reread = (throughMs: number) =>
    source.listIds({ fromMs: throughMs - REREAD_MS, throughMs, limit: MAX_REREAD_IDS });

  function see(id: string): void {
    seen.set(id, timeOf({ _id: id }));
  }

  function forgetBefore(ms: number): void {
    for (const [id, at] of seen) {
      if (at >= ms) return;
      seen.delete(id);
    }
  }

  function changesOf({ _id, entries }: Documents[number]): Change[] {
    see(_id);
    const changes: Change[] = [];
    for (const { eventId, messageId, accountId, kind, at, attempt, category = "" } of entries) {
      const id = eventId ?? `${messageId}.${attempt}.${kind}`;
      if (accountId === "" || known.has(id)) continue;
      known.add(id);
      changes.push({ id, accountId, messageId, kind, at, attempt, category });
    }
    for (const id of known) {
      if (known.size <= MAX_KNOWN_CHANGES) break;
      known.delete(id);
    }
    return changes;
  }

  const eventAt = (position: Position, document: Documents[number]): LiveEvent => {
    const { resources } = document;
    return { position, changes: changesOf(document), ...(resources && { resources }) };
  };
  const inOrder = (document: Documents[number]): LiveEvent =>
    eventAt({ throughMs: timeOf(document), late: 0 }, document);

  async function begin(): Promise<TailBatch> {
    const throughMs = settledMs();
    const fromMs = throughMs - REACH_MS;
    const ids = await reread(throughMs);
    const latest = await source.latest({ fromMs, throughMs, limit: MAX_BEGIN_DOCUMENTS });
    seen.clear();
    known.clear();
    for (const id of ids) see(id);
    const documents = latest.toReversed();
    const [oldest] = documents;
    const isCut = oldest !== undefined && documents.length === MAX_BEGIN_DOCUMENTS;
    position = { throughMs, late: 0 };
    const since = { throughMs: isCut ? timeOf(oldest) : fromMs - 1, late: 0 };
    const events = documents.filter((one) => timeOf(one) > since.throughMs).map(inOrder);
    return { events, position, since };
  }

  /** Documents that appeared late, from a period that was already reported. */
  async function late(): Promise<LiveEvent[]> {
    const ids = (await reread(position.throughMs)).filter((id) => !seen.has(id));
    if (ids.length === 0) return [];
    const documents = await source.findMany(ids.slice(-MAX_LATE_DOCUMENTS));
    return documents.map((document) => {
      position = { ...position, late: position.late + 1 };
      return eventAt(position, document);
    });
  }

  return {
    begin,
    next: async () => {
      const untilMs = settledMs();
      const fromMs = position.throughMs + 1;
      if (untilMs - fromMs > REACH_MS) return begin();
      const asked = { fromMs, throughMs: untilMs, limit: MAX_DOCUMENTS };
      const found = untilMs < fromMs ? [] : await source.list(asked);
      const events = await late();
      const throughMs = endOf(found.map(timeOf), Math.max(untilMs, position.throughMs));
      if (untilMs - throughMs > MAX_BEHIND_MS) return begin();
      events.push(...found.filter((one) => timeOf(one) <= throughMs).map(inOrder));
      if (throughMs > position.throughMs) position = { throughMs, late: 0 };
      forgetBefore(position.throughMs - REREAD_MS);
      return { events, position };
    },
  };
}

type Documents = Awaited<ReturnType<AcrossAccounts["journalTail"]["list"]>>;

/** Time up to which all documents were found: documents of the last millisecond can be missing. */
function endOf(times: readonly number[], throughMs: number): number {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (times.length < MAX_DOCUMENTS) return throughMs;
  return first < last ? last - 1 : last;
}
