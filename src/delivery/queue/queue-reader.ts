import type { Partitions } from "../../leases/partitions.ts";
import type { MessageBody } from "../../message/content.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { UnreadableDocument } from "../../store/read-each.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Holdable, Holds } from "./holds.ts";
import { createPassedOver, type PassedOver } from "./passed-over.ts";
import type { Pending } from "./pending.ts";
import { damagedMessage, type Quarantine } from "./quarantine.ts";
import { advance, BATCH, type Cursor, cursorAt, type Step, split } from "./sweep.ts";
import { createSweepTimes, type SweepTimes } from "./sweep-times.ts";

export interface QueueReader {
  /**
   * Enqueues due messages that are not known yet.
   * @throws Fault store.unavailable
   */
  read(): Promise<void>;
  /** More messages are due than were read, and there is capacity for them. */
  wantsMore(): boolean;
  /** Makes the message, which no longer waits here, be read again. */
  missed(message: MessageDocument): void;
}

export interface QueueReaderOptions {
  readonly queue: AcrossAccounts["queue"];
  readonly loadBodies: AcrossAccounts["contents"]["loadMany"];
  readonly partitions: Partitions;
  readonly pending: Pending;
  readonly holds: Pick<Holds, "isHeld">;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  /** @param epoch of the lease under which the message was read */
  readonly enqueue: (message: MessageDocument, epoch: number, body?: MessageBody) => void;
}

/** A message, and the epoch under which it was read. */
interface Read {
  readonly message: MessageDocument;
  readonly epoch: number;
}

const BODIES_BATCH = 100;
/** A message that is stored now may have been due a moment ago: clocks differ, and writes take time. */
const OVERLAP_MS = 5_000;
/** The queue is read once a second: after a longer gap, the store or the leases were unavailable. */
const AWAY_MS = 3_000;

/** Maximum of batches of one kind in one read. */
const MAX_STEPS = 2;

/** Progress of the reads of one class. */
interface Progress {
  /** Position of newly due messages, in all partitions. */
  from: Date;
  /** Positions of the full scan, which finds messages that were deferred or stored late; they take turns. */
  sweeps: Cursor[];
  /** Begin of the next full scan. */
  readonly times: SweepTimes;
  readonly passedOver: PassedOver;
  /** The last batch brought nothing new, so the next one is larger. */
  refillLimit: number;
  /** More messages are due than were read. */
  more: boolean;
  /** Number of waiting messages after the last read. */
  waiting: number;
}

/**
 * Reads the queue, the longest waiting messages first, as far as there is capacity in memory. The work of one read does not
 * grow with the queue: it reads newly due messages, continues groups that now have a slot, and makes a step through the
 * messages that were present when the partition came.
 */
export function createQueueReader(options: QueueReaderOptions): QueueReader {
  const { queue, loadBodies, partitions, pending, holds, quarantine, clock, enqueue } = options;
  const beginning = (): Progress => ({
    from: lately(),
    sweeps: [],
    times: createSweepTimes(),
    passedOver: createPassedOver(),
    refillLimit: BATCH,
    more: false,
    waiting: 0,
  });
  const progress: Readonly<Record<Priority, Progress>> = { transactional: beginning(), bulk: beginning() };
  /** Epochs of the partitions that are read. */
  let readFor: ReadonlyMap<number, number | undefined> = new Map();
  /** Monotonic time at which the queue was read to its end. */
  let readAtMs = clock.monotonicMs();

  /** A held message takes no slot in memory: the store keeps it. */
  function mayComeIn(message: Holdable & Parameters<Pending["hasSlotFor"]>[0]): boolean {
    return !holds.isHeld(message) && pending.hasSlotFor(message);
  }

  function lately(): Date {
    return new Date(clock.now().getTime() - OVERLAP_MS);
  }

  /** The messages of a new partition were not read before, or were removed with its lease. */
  function noticePartitions(epochs: ReadonlyMap<number, number | undefined>): void {
    const come = [...epochs.keys()].filter((id) => readFor.get(id) !== epochs.get(id));
    const stays = (id: number) => epochs.has(id) && !come.includes(id);
    const haveGone = [...readFor.keys()].some((id) => !stays(id));
    readFor = epochs;
    if (come.length === 0 && !haveGone) return;
    for (const state of Object.values(progress)) {
      const going = state.sweeps.map((one) => ({ ...one, partitions: one.partitions.filter(stays) }));
      const left = going.filter((one) => one.partitions.length > 0);
      state.sweeps = come.length > 0 ? [cursorAt(come, undefined), ...left] : left;
    }
  }

  /** A client that stores a message waits for the store as long as this reader did, and has dated the message from before. */
  function noticeAbsence(): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - readAtMs > AWAY_MS) for (const { times } of Object.values(progress)) times.wasAway(nowMs);
    readAtMs = nowMs;
  }

  async function readClass(priority: Priority, held: readonly number[]): Promise<void> {
    const state = progress[priority];
    const isBehind = await readLately(priority, held);
    await readPassedOver(priority, held);
    await readSweeps(priority, held);
    const isAnyFree = state.passedOver.isAny((group) => !holds.isHeld(group));
    state.more = isBehind || state.sweeps.length > 0 || isAnyFree;
    state.waiting = pending.size(priority);
  }

  /** @returns true if there is more */
  async function readLately(priority: Priority, held: readonly number[]): Promise<boolean> {
    const state = progress[priority];
    // The clock may have been set back.
    let cursor = cursorAt(held, new Date(Math.min(state.from.getTime(), lately().getTime())));
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const next = lately();
      const step = await read(priority, cursor);
      state.from = next;
      if (!step.isFull) return false;
      cursor = advance(cursor, step);
      state.from = cursor.from ?? next;
    }
    return true;
  }

  async function readPassedOver(priority: Priority, held: readonly number[]): Promise<void> {
    const state = progress[priority];
    const groups = state.passedOver.roomy(new Set(held), mayComeIn);
    const [first] = groups;
    if (!first) return;
    const { from } = first;
    const those = [...new Set(groups.map(({ partition }) => partition))];
    const cursor = { partitions: those, from, limit: state.refillLimit };
    const step = await read(priority, cursor, (to) => state.passedOver.wereRead(groups, from, to));
    state.refillLimit = step.isFull ? advance(cursor, step).limit : BATCH;
  }

  async function readSweeps(priority: Priority, held: readonly number[]): Promise<void> {
    const state = progress[priority];
    if (state.sweeps.length === 0) {
      if (!state.times.begin(clock.monotonicMs())) return;
      state.sweeps.push(cursorAt(held, undefined));
    }
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const cursor = state.sweeps[0];
      if (!cursor) break;
      const startedMs = clock.monotonicMs();
      const step = await read(priority, cursor);
      state.times.took(clock.monotonicMs() - startedMs);
      state.sweeps.shift();
      if (!step.isFull) continue;
      const [others, crowded] = split(advance(cursor, step), step);
      if (others) state.sweeps.unshift(others);
      if (crowded) state.sweeps.push(crowded);
    }
    if (state.sweeps.length === 0) state.times.end(clock.monotonicMs());
  }

  /**
   * Enqueues the messages at a position of the queue, and remembers the ones without a slot, also after a failure.
   * @param wasRead called with the time up to which the queue was read, before that is remembered; undefined: to its end
   */
  async function read(
    priority: Priority,
    { partitions: those, from, limit }: Cursor,
    wasRead?: (to: Date | undefined) => void,
  ): Promise<Step> {
    // Taken before the query, so that its results are not older.
    const epochs = new Map(those.map((id) => [id, partitions.lease(id)?.epoch]));
    const now = clock.now();
    const found = await queue.findDue({ partitions: those, priority, from, now, limit });
    const ahead = found.documents.filter((message) => isAhead(message, epochs));
    const due = ahead.length > 0 ? found.documents.filter((one) => !ahead.includes(one)) : found.documents;
    const unreadable = [...found.unreadable, ...ahead.map(aheadOfLease)];
    const isFull = due.length + unreadable.length === limit;
    wasRead?.(isFull ? due.at(-1)?.nextAttemptAt : undefined);
    const unknown = due.flatMap((message): Read | [] => {
      const epoch = epochs.get(message.partition);
      // A message that a client wants back is about to be withdrawn.
      const isWanted = message.cancelRequestedAt === undefined;
      return epoch === undefined || !isWanted || pending.knows(message, epoch) ? [] : { message, epoch };
    });
    let passedOver: readonly MessageDocument[];
    try {
      await enqueueWithBodies(unknown.filter(({ message }) => mayComeIn(message)));
      await quarantine(unreadable);
    } finally {
      // Slots change while the reader waits, and the store may fail: the slots held at the end count.
      passedOver = unknown.flatMap(({ message, epoch }) => (pending.knows(message, epoch) ? [] : message));
      for (const message of passedOver) progress[priority].passedOver.add(message);
    }
    return { due, isFull, passedOver };
  }

  /** Bodies are read together, before their messages take up a slot of their server. */
  async function enqueueWithBodies(messages: readonly Read[]): Promise<void> {
    for (let at = 0; at < messages.length; at += BODIES_BATCH) {
      const some = messages.slice(at, at + BODIES_BATCH);
      const sizeBytes = some.reduce((sum, { message }) => sum + message.sizeBytes, 0);
      const worthwhile = pending.hasCapacityFor(sizeBytes);
      const bodies = worthwhile ? await loadBodies(some.map(({ message }) => message.contentId)) : undefined;
      for (const { message, epoch } of some) {
        const body = bodies?.get(message.contentId);
        // An unreadable body is reported at the message's turn.
        enqueue(message, epoch, body?.kind === "unreadable" ? undefined : body);
      }
    }
  }

  /**
   * True if a message was written under an epoch that this worker's lease has not reached. Leases use the clock of the store,
   * and no other worker had the lease when the message was read, so the field is damaged.
   */
  function isAhead(
    { partition, epoch = 0 }: MessageDocument,
    epochs: ReadonlyMap<number, number | undefined>,
  ): boolean {
    const read = epochs.get(partition);
    return read !== undefined && epoch > read && partitions.lease(partition)?.epoch === read;
  }

  return {
    missed: (message) => progress[message.priority].passedOver.add(message),
    read: async () => {
      const held = partitions.held();
      if (held.length === 0) return;
      noticePartitions(new Map(held.map((id) => [id, partitions.lease(id)?.epoch])));
      await readClass("transactional", held);
      await readClass("bulk", held);
      noticeAbsence();
    },
    wantsMore: () =>
      (["transactional", "bulk"] as const).some((priority) => {
        const { more, waiting } = progress[priority];
        return more && pending.size(priority) < Math.max(BATCH, waiting) - BATCH / 2;
      }),
  };
}

function aheadOfLease(message: MessageDocument): UnreadableDocument {
  return damagedMessage(message, `epoch: ${message.epoch} is ahead of the lease of its partition`);
}
