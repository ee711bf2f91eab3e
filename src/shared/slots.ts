/** Runs a task when fewer than the given number are in progress, in the order of the calls. */
export type Slots = <T>(task: () => Promise<T>) => Promise<T>;

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next task without becoming free.
      if (next) next();
      else free++;
    }
  };
}
