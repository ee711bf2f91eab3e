import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Change, JournalTail, LiveEvent, ResourceChange, TailBatch } from "./journal-tail.ts";
import { createListener, type Listener } from "./listener.ts";
import { type Position, parsePosition } from "./position.ts";
import { createRecent } from "./recent.ts";
import type { Report } from "./report.ts";
import { createStreamCount, type StreamOwner } from "./stream-count.ts";

export interface LiveStream {
  /**
   * Waits for the next report, which may be empty; undefined: there are no more, because the process ends or the last
   * report was received too long ago. Rejects with the reason of the signal.
   */
  next(signal: AbortSignal): Promise<Report | undefined>;
  close(): void;
}

/** Streams message changes to the accounts that own the messages. One tail reads the journal for all streams. */
export interface LiveHub {
  /**
   * @param after position of an earlier report, after which the stream continues; empty: from now on
   * @throws Fault live.too_many_streams, live.full, core.unavailable
   */
  open(owner: StreamOwner, after: string): LiveStream;
  /** Reads new changes if any stream is open. Call it repeatedly. */
  read(): Promise<void>;
  /** Sends an answer to idle streams, and closes streams that are not read. Call it as often as `read`. */
  beat(): void;
  /** Ends all streams. */
  close(): void;
}

const BEAT_MS = 2_000;
/** A stream is closed if its client has not read for this time. */
const UNTAKEN_MS = 30_000;
/** The clocks of cores differ by less than this. */
const MAX_AHEAD_MS = 30_000;

interface Begun {
  readonly owner: StreamOwner;
  /** Position from which the stream continues. */
  readonly after: string;
}

interface HubParts {
  readonly tail: JournalTail;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Logger, "warn">;
}

export function createLiveHub({ tail, clock, log }: HubParts): LiveHub {
  const listeners = new Map<Listener, Begun>();
  const count = createStreamCount();
  const recent = createRecent();
  /** undefined: the tail has not started. */
  let position: Position | undefined;
  /** Set while a read is running. */
  let reading: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;

  function begin(listener: Listener, { owner: { accountId }, after }: Begun, now: Position): void {
    const from = parsePosition(after);
    const missed = from && from.throughMs <= now.throughMs + MAX_AHEAD_MS ? recent.behind(from) : undefined;
    if (from && missed) {
      // Another core may have been ahead: its reported changes are not repeated.
      listener.emit(NOTHING, from);
      listener.emit(ofAccounts(missed).get(accountId) ?? NOTHING, now);
    } else {
      if (after !== "") listener.emitGap();
      listener.emit(NOTHING, now);
    }
  }

  function take(batch: TailBatch): void {
    recent.add(batch);
    position = batch.position;
    const events = ofAccounts(batch.since ? NOTHING : batch.events);
    for (const [listener, begun] of listeners) {
      if (!listener.hasBegun()) begin(listener, begun, position);
      else {
        // The tail has restarted: some changes in between were not read.
        if (batch.since) listener.emitGap();
        listener.emit(events.get(begun.owner.accountId) ?? NOTHING, position);
      }
    }
  }

  function end(listener: Listener): void {
    const begun = listeners.get(listener);
    if (!begun) return;
    listeners.delete(listener);
    count.remove(begun.owner);
    listener.close();
  }

  async function readBatch(): Promise<void> {
    try {
      take(position ? await tail.next() : await tail.begin());
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "open pages receive no updates until this error ends");
      isFailing = true;
    }
  }

  async function read(): Promise<void> {
    if (listeners.size > 0) {
      reading ??= readBatch().finally(() => {
        reading = undefined;
      });
      return reading;
    }
    position = undefined;
    recent.forget();
  }

  return {
    open: (owner, after) => {
      if (isClosed) throw fault("core.unavailable");
      count.add(owner);
      const listener = createListener(() => clock.monotonicMs());
      const begun = { owner, after };
      listeners.set(listener, begun);
      if (position) begin(listener, begun, position);
      // Only needed if no other stream causes a read that determines the start position.
      else void read();
      return {
        next: listener.next,
        close: () => end(listener),
      };
    },

    read,

    beat: () => {
      for (const listener of listeners.keys()) {
        const idleMs = listener.idleMs();
        if (idleMs > UNTAKEN_MS) end(listener);
        else if (idleMs >= BEAT_MS) listener.wake();
      }
    },

    close: () => {
      isClosed = true;
      for (const listener of listeners.keys()) end(listener);
    },
  };
}

const NOTHING: readonly LiveEvent[] = [];

interface OfAccount {
  readonly changes: Change[];
  readonly resources: ResourceChange[];
}

/** Changes, grouped by account. */
function ofAccounts(events: readonly LiveEvent[]): ReadonlyMap<string, readonly LiveEvent[]> {
  const found = new Map<string, LiveEvent[]>();
  for (const { position, changes, resources = [] } of events) {
    const byAccount = new Map<string, OfAccount>();
    const ofAccount = (accountId: string): OfAccount => {
      const own = byAccount.get(accountId) ?? { changes: [], resources: [] };
      byAccount.set(accountId, own);
      return own;
    };
    for (const change of changes) ofAccount(change.accountId).changes.push(change);
    for (const resource of resources) ofAccount(resource.accountId).resources.push(resource);
    for (const [accountId, own] of byAccount) {
      const before = found.get(accountId) ?? [];
      before.push({ position, ...own });
      found.set(accountId, before);
    }
  }
  return found;
}
