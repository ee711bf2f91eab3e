import type { MessageBody } from "../../message/content.ts";
import { createLru } from "../../shared/lru.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { Entry } from "./entry.ts";
import { createSlots, type Slots } from "./slots.ts";

export interface Pending {
  /**
   * Adds a waiting message, and keeps its body if there is capacity; otherwise it is read again at its turn.
   * @param epoch of the lease under which the message was read
   * @returns undefined if it must not wait here now
   */
  admit(message: MessageDocument, epoch: number, body: MessageBody | undefined): Admitted | undefined;
  /** True if bodies of this total size would be kept. */
  hasCapacityFor(sizeBytes: number): boolean;
  /** True if this entry still waits. */
  has(entry: Entry): boolean;
  /** True if the message waits, is in progress or has just finished: nothing to start. */
  knows(message: MessageDocument, epoch: number): boolean;
  isWaiting(id: string): boolean;
  /** Removes the messages that match. */
  leaveWhere(isSo: (message: MessageDocument) => boolean): MessageDocument[];
  leave(id: string): void;
  /**
   * Remembers the number of attempts of a message, so that a slow poll or a late dispatch under the same epoch does not repeat
   * one. Under a later epoch only the store decides.
   */
  settle(id: string, epoch: number, attempts: number): void;
  size(priority: Priority): number;
  /** True if the message would find a slot. */
  hasSlotFor(message: Pick<MessageDocument, "priority" | "accountId" | "recipientDomain">): boolean;
}

export interface Admitted {
  readonly entry: Entry;
  /** Messages that gave way to it: the store has them. */
  readonly gaveWay: Entry | undefined;
}

export interface PendingOptions {
  /** Epoch of a partition's lease; undefined: this worker does not hold it now. */
  readonly epochOf: (partition: number) => number | undefined;
  readonly isUnderWay: (id: string) => boolean;
}

interface Settled {
  readonly epoch: number;
  readonly attempts: number;
}

/** Maximum of messages of one class that wait in memory; the store has the others. */
const MAX_PENDING = 5_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Longer than any running poll remembers finished messages. */
const MAX_SETTLED = 50_000;

/** Limits the messages in memory, so that no domain, class or large body fills it. */
export function createPending({ epochOf, isUnderWay }: PendingOptions): Pending {
  const waiting = new Map<string, Entry>();
  let bodyBytes = 0;
  const slots: Readonly<Record<Priority, Slots>> = {
    transactional: createSlots(MAX_PENDING),
    bulk: createSlots(MAX_PENDING),
  };
  const settled = createLru<Settled>(MAX_SETTLED);

  function knows({ _id: id, attempts }: MessageDocument, epoch: number): boolean {
    const done = settled.get(id);
    return waiting.has(id) || isUnderWay(id) || (done?.epoch === epoch && done.attempts > attempts);
  }

  function leave(id: string): void {
    const entry = waiting.get(id);
    if (!entry) return;
    waiting.delete(id);
    slots[entry.message.priority].remove(entry.message);
    if (entry.body) bodyBytes -= entry.message.sizeBytes;
  }

  function hasCapacityFor(sizeBytes: number): boolean {
    return bodyBytes + sizeBytes <= MAX_BODY_BYTES;
  }

  return {
    knows,
    hasCapacityFor,
    leave,
    leaveWhere: (isSo) => {
      const those = [...waiting.values()].map(({ message }) => message).filter(isSo);
      for (const { _id: id } of those) leave(id);
      return those;
    },
    isWaiting: (id) => waiting.has(id),
    has: (entry) => waiting.get(entry.message._id) === entry,
    admit: (message, epoch, body) => {
      if (epochOf(message.partition) !== epoch || knows(message, epoch)) return undefined;
      const { _id: id, priority, sizeBytes } = message;
      if (!slots[priority].isThereFor(message)) return undefined;
      const gaveWay = waiting.get(slots[priority].givesWayTo(message) ?? "");
      if (gaveWay) leave(gaveWay.message._id);
      const entry = { message, epoch, body: hasCapacityFor(sizeBytes) ? body : undefined };
      waiting.set(id, entry);
      slots[priority].add(message);
      if (entry.body) bodyBytes += sizeBytes;
      return { entry, gaveWay };
    },
    settle: (id, epoch, attempts) => {
      settled.set(id, { epoch, attempts });
    },
    size: (priority) => slots[priority].size,
    hasSlotFor: (message) => slots[message.priority].isThereFor(message),
  };
}
