import type { MessageDocument } from "../../store/message-documents.ts";

/** Dispatches messages that were just stored to the workers of other processes. */
export interface Dispatcher {
  /**
   * Sends the message to the worker that holds its partition. Never throws and never waits: messages that are not
   * sent are found by polling.
   * @returns whether a worker receives it
   */
  dispatch(message: Pick<MessageDocument, "_id" | "state" | "partition">): boolean;
  /** Subscribes a worker, which receives no messages until it claims partitions. */
  subscribe(): Subscription;
  /** Ends every subscription, and later ones immediately. */
  close(): void;
}

export interface Subscription {
  /** All partitions that the worker holds now. If two workers claim a partition, the later one gets it. */
  claim(partitions: readonly number[]): void;
  /**
   * Message ids as they arrive, several together when they arrive fast. The first list, after the first claim, is
   * empty.
   */
  batches(): AsyncGenerator<readonly string[], void>;
  end(): void;
}

/** Maximum number of ids that wait for a connection; further ones are left to polling. */
const MAX_WAITING = 10_000;
/** Maximum number of ids in one list: a worker loads them in one query. */
const MAX_BATCH = 500;

interface Subscriber {
  waiting: string[];
  claimedFirst: boolean;
  ended: boolean;
  wake: (() => void) | undefined;
}

export interface DispatcherOptions {
  /** Called with the number of partitions that have a subscriber, after each claim and each end. */
  readonly onClaimed: (partitions: number) => void;
}

export function createDispatcher({ onClaimed }: DispatcherOptions): Dispatcher {
  const owners = new Map<number, Subscriber>();
  const subscribers = new Set<Subscriber>();
  let closed = false;

  function wake(subscriber: Subscriber): void {
    const waker = subscriber.wake;
    subscriber.wake = undefined;
    // At the end of this turn of the event loop, so that messages stored together are sent together.
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
