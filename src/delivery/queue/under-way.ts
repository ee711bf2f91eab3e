import type { Started } from "./entry.ts";

/** Attempts in progress, including their recording. */
export interface UnderWay {
  readonly size: number;
  has(id: string): boolean;
  begin(started: Started): void;
  end(started: Started): void;
  /** True if a message of the partition is among them. */
  busy(partition: number): boolean;
  of(partitions: readonly number[]): Started[];
  /** Hides these messages from the next owners of their partitions, so that their attempts can finish here. */
  hide(ids: Iterable<string>): void;
  isHidden(id: string): boolean;
  /** Resolves when there are none, or at the timeout. */
  idle(timeoutMs: number): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const attempts = new Map<string, Started>();
  const hidden = new Set<string>();
  let onIdle: (() => void) | undefined;

  return {
    get size() {
      return attempts.size;
    },
    has: (id) => attempts.has(id),
    begin: (started) => void attempts.set(started.message._id, started),
    end: ({ message }) => {
      attempts.delete(message._id);
      hidden.delete(message._id);
      if (attempts.size === 0) onIdle?.();
    },
    busy: (partition) => {
      for (const { message } of attempts.values()) if (message.partition === partition) return true;
      return false;
    },
    of: (partitions) =>
      [...attempts.values()].filter(({ message }) => partitions.includes(message.partition)),
    hide: (ids) => {
      for (const id of ids) if (attempts.has(id)) hidden.add(id);
    },
    isHidden: (id) => hidden.has(id),
    idle: (timeoutMs) => {
      if (attempts.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
