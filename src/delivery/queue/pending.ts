import type { MessageBody } from "../../message/content.ts";
import { createLru } from "../../shared/lru.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { Entry } from "./entry.ts";
import { createPlaces, type Places } from "./places.ts";

export interface Pending {
  /**
   * Lets a message wait here, and keeps its body if there is room for it: otherwise it is read again when its turn
   * comes.
   * @param epoch of the lease under which the message was read
   * @returns undefined: it may not wait here, now
   */
  admit(message: MessageDocument, epoch: number, body: MessageBody | undefined): Admitted | undefined;
  /** Whether bodies of this size, together, would be kept. */
  hasRoomFor(sizeBytes: number): boolean;
  /** Whether this very entry waits still. */
  has(entry: Entry): boolean;
  /** Whether the message waits, is under way or was just finished: nothing to be started. */
  knows(message: MessageDocument, epoch: number): boolean;
  isWaiting(id: string): boolean;
  /** Lets go of the messages for which it is so. */
  leaveWhere(isSo: (message: MessageDocument) => boolean): MessageDocument[];
  leave(id: string): void;
  /**
   * Remembers that so many attempts of a message are made: a slow poll or a late dispatch under the same epoch must not
   * repeat one. Under a later epoch the store alone knows.
   */
  settle(id: string, epoch: number, attempts: number): void;
  size(priority: Priority): number;
  /** Whether the message would find a place. */
  hasPlaceFor(message: Pick<MessageDocument, "priority" | "accountId" | "recipientDomain">): boolean;
}

export interface Admitted {
  readonly entry: Entry;
  /** What had to leave for it: the store has it. */
  readonly gaveWay: Entry | undefined;
}

export interface PendingOptions {
  /** The epoch of a partition's lease; undefined: it is not this worker's now. */
  readonly epochOf: (partition: number) => number | undefined;
  readonly isUnderWay: (id: string) => boolean;
}

interface Settled {
  readonly epoch: number;
  readonly attempts: number;
}

/** Messages of one class that wait in memory at most; the store has the others. */
const MAX_PENDING = 5_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Longer than any poll under way remembers messages that were finished meanwhile. */
const MAX_SETTLED = 50_000;

/** Keeps count of what waits in memory, so that neither a domain nor a class nor large bodies fill it. */
export function createPending({ epochOf, isUnderWay }: PendingOptions): Pending {
  const waiting = new Map<string, Entry>();
  let bodyBytes = 0;
  const places: Readonly<Record<Priority, Places>> = {
    transactional: createPlaces(MAX_PENDING),
    bulk: createPlaces(MAX_PENDING),
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
    places[entry.message.priority].remove(entry.message);
    if (entry.body) bodyBytes -= entry.message.sizeBytes;
  }

  function hasRoomFor(sizeBytes: number): boolean {
    return bodyBytes + sizeBytes <= MAX_BODY_BYTES;
  }

  return {
    knows,
    hasRoomFor,
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
      if (!places[priority].isThereFor(message)) return undefined;
      const gaveWay = waiting.get(places[priority].givesWayTo(message) ?? "");
      if (gaveWay) leave(gaveWay.message._id);
      const entry = { message, epoch, body: hasRoomFor(sizeBytes) ? body : undefined };
      waiting.set(id, entry);
      places[priority].add(message);
      if (entry.body) bodyBytes += sizeBytes;
      return { entry, gaveWay };
    },
    settle: (id, epoch, attempts) => {
      settled.set(id, { epoch, attempts });
    },
    size: (priority) => places[priority].size,
    hasPlaceFor: (message) => places[message.priority].isThereFor(message),
  };
}
