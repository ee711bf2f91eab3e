import { fault } from "./fault.ts";

/**
 * Runs tasks with the same key one after the other, in the order of the calls; tasks with different keys do not wait for each
 * other. A task that fails keeps nobody back.
 * @throws Fault service.busy when so many wait for the same key already
 */
export type Turns = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** @param max tasks that wait for one key at most */
export function createTurns(max: number): Turns {
  /** By key those that wait; a key is there while a task of it is under way. */
  const waiting = new Map<string, (() => void)[]>();

  return async (key, task) => {
    const queue = waiting.get(key);
    if (!queue) waiting.set(key, []);
    else if (queue.length >= max) throw fault("service.busy", { retryAfterSeconds: 2 });
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.get(key)?.shift();
      if (next) next();
      else waiting.delete(key);
    }
  };
}
