import type { MessageBody } from "../../message/body.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ContentStore } from "../../store/content-store.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { QueueStore } from "../../store/queue-store.ts";
import type { Partitions } from "./partitions.ts";
import type { Pending } from "./pending.ts";

export interface QueueReader {
  /**
   * Enqueues messages that are due and not known yet.
   * @throws Fault store.unavailable
   */
  read(): Promise<void>;
  /** More is due than was read, and there is room for it. */
  wantsMore(): boolean;
  /**
   * Whether an earlier owner of the partition may still be delivering the message: only what is read is claimed.
   * @param skewMs how far the clock that dated the message may lie apart from this one
   */
  mayBeElsewhere(message: MessageDocument, skewMs?: number): boolean;
  /** Has the message, which waits here no longer, be read again. */
  missed(message: MessageDocument): void;
}

export interface QueueReaderOptions {
  readonly queue: QueueStore;
  readonly loadContents: ContentStore["loadMany"];
  readonly partitions: Partitions;
  readonly pending: Pending;
  readonly clock: Clock;
  /** @param epoch of the lease under which the message was read */
  readonly enqueue: (message: MessageDocument, epoch: number, content?: MessageBody) => void;
}

/** A message, and the epoch under which it was read. */
interface Read {
  readonly message: MessageDocument;
  readonly epoch: number;
}

const BATCH = 1_000;
const MAX_BATCH = 16 * BATCH;
const CONTENTS_BATCH = 100;
/** How far the clocks of core and workers may lie apart. */
const CLOCK_SKEW_MS = 10_000;

/** So often everything is read from its beginning: what was put off lies behind the place that was reached. */
const RESTART_MS = 30_000;

/** A sweep that took so long, and found the end, is repeated after as much time as it took, times the factor. */
const LONG_SWEEP_MS = 100;
const SWEEP_REST_FACTOR = 10;
/** What is stored now may be due a moment ago: clocks differ, and writes take time. */
const OVERLAP_MS = 5_000;

/** How far one class has been read. */
interface Progress {
  /** What was due before has been read, or nobody has a place for it; undefined: begin with what is due the longest. */
  from: Date | undefined;
  limit: number;
  more: boolean;
  /** How many waited after the last reading. */
  waiting: number;
  /** Of how many accounts something was left out, for want of places. */
  leftOut: number;
  /** On the monotonic clock: until then only what has become due lately is read, if as much is left out. */
  restsUntilMs: number;
  /** What was due by then has been looked at. */
  readAt: Date;
}

const beginning = (): Progress => ({
  from: undefined,
  limit: BATCH,
  more: false,
  waiting: 0,
  leftOut: 0,
  restsUntilMs: 0,
  readAt: new Date(0),
});

/** Reads the queue, the longest waiting first, as far as there is room in memory. */
export function createQueueReader(options: QueueReaderOptions): QueueReader {
  const { queue, loadContents, partitions, pending, clock, enqueue } = options;
  const progress: Readonly<Record<Priority, Progress>> = {
    transactional: beginning(),
    bulk: beginning(),
  };
  let readFor = "";
  let restartsAtMs = 0;

  function restart(held: readonly number[]): void {
    const partitionsNow = held.toSorted((a, b) => a - b).join();
    const areOthers = partitionsNow !== readFor;
    if (!areOthers && clock.monotonicMs() < restartsAtMs) return;
    readFor = partitionsNow;
    restartsAtMs = clock.monotonicMs() + RESTART_MS;
    for (const one of Object.values(progress)) {
      one.from = undefined;
      // What waits in a partition that has just come was not looked at before.
      if (areOthers) one.restsUntilMs = 0;
    }
  }

  async function readClass(priority: Priority, held: readonly number[]): Promise<void> {
    const state = progress[priority];
    const startedMs = clock.monotonicMs();
    const except = pending.crowded(priority);
    const isResting = startedMs < state.restsUntilMs && except.length >= state.leftOut;
    // Taken before the query: what it finds is no older than that.
    const epochs = new Map(held.map((id) => [id, partitions.lease(id)?.epoch]));
    const now = clock.now();
    const lately = new Date(state.readAt.getTime() - OVERLAP_MS);
    const { limit } = state;
    const from = isResting ? lately : state.from;
    const due = await queue.findDue({ partitions: held, priority, from, now, except, limit });
    state.readAt = now;
    const tookMs = clock.monotonicMs() - startedMs;
    const unknown = due.flatMap((message): Read | [] => {
      const epoch = epochs.get(message.partition);
      return epoch === undefined || pending.knows(message, epoch) ? [] : { message, epoch };
    });
    const fresh = unknown.filter(({ message }) => pending.hasPlaceFor(message));
    await enqueueWithContents(await claim(fresh));
    if (isResting) return;
    const passedOver = unknown.find(
      ({ message, epoch }) => !pending.knows(message, epoch) && !pending.hasPlaceFor(message),
    )?.message;
    state.more = due.length === limit;
    if (passedOver) state.from = passedOver.nextAttemptAt;
    else if (state.more) state.from = due.at(-1)?.nextAttemptAt;
    else if (except.length === 0) state.from = undefined;
    // Many that are due at the same instant are read again and again: only a larger batch gets beyond them.
    state.limit = state.more && fresh.length === 0 ? Math.min(limit * 2, MAX_BATCH) : BATCH;
    state.waiting = pending.size(priority);
    state.leftOut = except.length;
    state.restsUntilMs =
      state.more || tookMs < LONG_SWEEP_MS ? 0 : startedMs + tookMs * (1 + SWEEP_REST_FACTOR);
  }

  /** Bodies are read together, before their messages take up a place with their server. */
  async function enqueueWithContents(messages: readonly Read[]): Promise<void> {
    for (let at = 0; at < messages.length; at += CONTENTS_BATCH) {
      const some = messages.slice(at, at + CONTENTS_BATCH);
      const sizeBytes = some.reduce((sum, { message }) => sum + message.sizeBytes, 0);
      const worthwhile = pending.hasRoomFor(sizeBytes);
      const contents = worthwhile
        ? await loadContents(some.map(({ message }) => message.contentId))
        : undefined;
      for (const { message, epoch } of some) {
        const content = contents?.get(message.contentId);
        // One that cannot be read is told of when its message's turn comes.
        enqueue(message, epoch, content?.kind === "unreadable" ? undefined : content);
      }
    }
  }

  function mayBeElsewhere({ partition, epoch, updatedAt }: MessageDocument, skewMs = CLOCK_SKEW_MS): boolean {
    const lease = partitions.lease(partition);
    if (!lease || epoch === lease.epoch) return false;
    // Written since we have the partition: nobody before us can have seen it.
    return updatedAt.getTime() <= lease.since.getTime() + skewMs;
  }

  /** Takes over from the owners before us what these may still be delivering. */
  async function claim(reads: readonly Read[]): Promise<Read[]> {
    const unclaimed = new Map<number, string[]>();
    for (const { message, epoch } of reads) {
      if (!mayBeElsewhere(message)) continue;
      const ids = unclaimed.get(epoch);
      if (ids) ids.push(message._id);
      else unclaimed.set(epoch, [message._id]);
    }
    const refused = new Set<string>();
    for (const [epoch, ids] of unclaimed) {
      const claimed = await queue.claim(ids, epoch);
      for (const id of ids) if (!claimed.has(id)) refused.add(id);
    }
    return reads.filter(({ message }) => !refused.has(message._id));
  }

  return {
    mayBeElsewhere,
    missed: ({ priority, nextAttemptAt }) => {
      const state = progress[priority];
      if (state.from && nextAttemptAt && nextAttemptAt < state.from) state.from = nextAttemptAt;
    },
    read: async () => {
      const held = partitions.held();
      if (held.length === 0) return;
      restart(held);
      await readClass("transactional", held);
      await readClass("bulk", held);
    },
    wantsMore: () =>
      (["transactional", "bulk"] as const).some((priority) => {
        const { more, leftOut, waiting } = progress[priority];
        return (more || leftOut > 0) && pending.size(priority) < Math.max(BATCH, waiting) - BATCH / 2;
      }),
  };
}
