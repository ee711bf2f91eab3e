import type { MessageBody } from "../../message/body.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ContentStore } from "../../store/content-store.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { QueueStore } from "../../store/queue-store.ts";
import type { Partitions } from "./partitions.ts";
import { MAX_PENDING, type Pending } from "./pending.ts";

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

/** How far one class has been read. */
interface Progress {
  /** What was due before has been read; undefined: begin with what is due the longest. */
  from: Date | undefined;
  limit: number;
  more: boolean;
}

/** Reads the queue, the longest waiting first, as far as there is room in memory. */
export function createQueueReader(options: QueueReaderOptions): QueueReader {
  const { queue, loadContents, partitions, pending, clock, enqueue } = options;
  const progress: Readonly<Record<Priority, Progress>> = {
    transactional: { from: undefined, limit: BATCH, more: false },
    bulk: { from: undefined, limit: BATCH, more: false },
  };
  let readFor = "";
  let restartsAtMs = 0;

  function restart(held: readonly number[]): void {
    const partitionsNow = held.toSorted((a, b) => a - b).join();
    if (partitionsNow === readFor && clock.monotonicMs() < restartsAtMs) return;
    readFor = partitionsNow;
    restartsAtMs = clock.monotonicMs() + RESTART_MS;
    for (const one of Object.values(progress)) one.from = undefined;
  }

  async function readClass(priority: Priority, held: readonly number[]): Promise<void> {
    const state = progress[priority];
    if (pending.size(priority) > MAX_PENDING - BATCH) return;
    // Taken before the query: what it finds is no older than that.
    const epochs = new Map(held.map((id) => [id, partitions.lease(id)?.epoch]));
    const due = await queue.findDue({
      partitions: held,
      priority,
      from: state.from,
      now: clock.now(),
      exceptDomains: pending.crowdedDomains(priority),
      limit: state.limit,
    });
    const fresh = due.flatMap((message): Read | [] => {
      const epoch = epochs.get(message.partition);
      return epoch === undefined || pending.knows(message, epoch) ? [] : { message, epoch };
    });
    await enqueueWithContents(await claim(fresh));
    state.more = due.length === state.limit;
    state.from = state.more ? due.at(-1)?.nextAttemptAt : undefined;
    // Many that are due at the same instant are read again and again: only a larger batch gets beyond them.
    state.limit = state.more && fresh.length === 0 ? Math.min(state.limit * 2, MAX_BATCH) : BATCH;
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
      for (const { message, epoch } of some) enqueue(message, epoch, contents?.get(message.contentId));
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
    read: async () => {
      const held = partitions.held();
      if (held.length === 0) return;
      restart(held);
      await readClass("transactional", held);
      await readClass("bulk", held);
    },
    wantsMore: () =>
      (["transactional", "bulk"] as const).some(
        (priority) => progress[priority].more && pending.size(priority) < BATCH / 2,
      ),
  };
}
