import type { MessageDocument } from "../../store/message-documents.ts";

/** Dispatches messages that were just stored to the workers of other processes. */
export interface Dispatcher {
  /**
   * Tells the worker that holds the message's partition. Never throws and never waits: a message that nobody is told
   * of is found by polling.
   * @returns whether a worker is being told
   */
  dispatch(message: Pick<MessageDocument, "_id" | "state" | "partition">): boolean;
  /** A worker that is told of nothing until it claims partitions. */
  subscribe(): Subscription;
  /** Ends every subscription, and later ones at once. */
  close(): void;
}

export interface Subscription {
  /** All the partitions that the worker holds from now on. Of two workers that claim one, the later has it. */
  claim(partitions: readonly number[]): void;
  /** Message ids as they come, several at once when they come fast; the first list is empty, after the first claim. */
  batches(): AsyncGenerator<readonly string[], void>;
  end(): void;
}

/** Ids that wait for a connection to take them; what comes beyond is left to polling. */
const MAX_WAITING = 10_000;
/** Ids in one list: a worker loads them in one query. */
const MAX_BATCH = 500;

interface Subscriber {
  waiting: string[];
  claimedFirst: boolean;
  ended: boolean;
  wake: (() => void) | undefined;
}

export interface DispatcherOptions {
  /** Told how many partitions have a subscriber, whenever a claim or an end may have changed it. */
  readonly onClaimed: (partitions: number) => void;
}

export function createDispatcher({ onClaimed }: DispatcherOptions): Dispatcher {
  const owners = new Map<number, Subscriber>();
  const subscribers = new Set<Subscriber>();
  let closed = false;

  function wake(subscriber: Subscriber): void {
    const waker = subscriber.wake;
    subscriber.wake = undefined;
    // At the end of this turn of the event loop: what is stored together travels together.
    if (waker) setImmediate(waker);
  }

  function disown(subscriber: Subscriber): void {
    for (const [partition, owner] of owners) if (owner === subscriber) owners.delete(partition);
  }

  function end(subscriber: Subscriber): void {
    subscriber.ended = true;
    subscribers.delete(subscriber);
    disown(subscriber);
    onClaimed(owners.size);
    wake(subscriber);
  }

  async function* batches(subscriber: Subscriber): AsyncGenerator<readonly string[], void> {
    let first = true;
    while (!subscriber.ended) {
      const ready = first ? subscriber.claimedFirst : subscriber.waiting.length > 0;
      if (ready) {
        const batch = first ? [] : subscriber.waiting.splice(0, MAX_BATCH);
        first = false;
        yield batch;
      } else {
        await new Promise<void>((resolve) => {
          subscriber.wake = resolve;
        });
      }
    }
  }

  return {
    dispatch: ({ _id: id, state, partition }) => {
      const owner = state === "queued" ? owners.get(partition) : undefined;
      if (!owner || owner.waiting.length >= MAX_WAITING) return false;
      owner.waiting.push(id);
      wake(owner);
      return true;
    },

    subscribe: () => {
      const subscriber: Subscriber = { waiting: [], claimedFirst: false, ended: closed, wake: undefined };
      if (!closed) subscribers.add(subscriber);
      return {
        claim: (partitions) => {
          if (subscriber.ended) return;
          disown(subscriber);
          for (const partition of partitions) owners.set(partition, subscriber);
          subscriber.claimedFirst = true;
          onClaimed(owners.size);
          wake(subscriber);
        },
        batches: () => batches(subscriber),
        end: () => end(subscriber),
      };
    },

    close: () => {
      closed = true;
      for (const subscriber of subscribers) end(subscriber);
    },
  };
}
