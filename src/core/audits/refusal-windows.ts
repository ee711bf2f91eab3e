import type { Clock } from "../../shared/clock.ts";

export interface RefusalWindowsOptions<T> {
  /** Number of refusals that are admitted in one window of one name. */
  readonly free: number;
  readonly windowMs: number;
  /** Maximum number of names with their own window; refusals of all other names are counted together. */
  readonly mostWindows: number;
  readonly clock: Pick<Clock, "now">;
  /**
   * Called at the end of a window with the number of refusals that were not admitted.
   * @param last the last of them
   * @param shared they belong to several names
   */
  readonly onCount: (count: number, since: Date, last: T, shared: boolean) => void;
}

/** Admits a few refusals and counts the rest, which limits the number of entries that a client can cause. */
export interface RefusalWindows<T> {
  /** True: it is admitted. */
  admit(name: string, one: T): boolean;
  /** Ends the expired windows. */
  flush(): void;
  /** Ends all windows. */
  close(): void;
}

interface Window<T> {
  readonly since: Date;
  admitted: number;
  counted: number;
  /** The last counted refusal. */
  last: T | undefined;
}

/** Shared window for names without their own. */
const SHARED = "";

export function createRefusalWindows<T>(options: RefusalWindowsOptions<T>): RefusalWindows<T> {
  const { free, windowMs, mostWindows, clock, onCount } = options;
  const windows = new Map<string, Window<T>>();

  function end(name: string, { counted, since, last }: Window<T>): void {
    windows.delete(name);
    if (counted > 0 && last !== undefined) onCount(counted, since, last, name === SHARED);
  }

  function endAll(isOver: (window: Window<T>) => boolean): void {
    for (const [name, window] of windows) if (isOver(window)) end(name, window);
  }

  const isOver = ({ since }: Window<T>) => clock.now().getTime() - since.getTime() >= windowMs;

  function windowOf(name: string): [name: string, window: Window<T>] {
    const known = windows.get(name);
    if (known && !isOver(known)) return [name, known];
    if (known) end(name, known);
    if (windows.size >= mostWindows && name !== SHARED) return windowOf(SHARED);
    const window = { since: clock.now(), admitted: 0, counted: 0, last: undefined };
    windows.set(name, window);
    return [name, window];
  }

  return {
    admit: (name, one) => {
      const [found, window] = windowOf(name);
      if (found !== SHARED && window.admitted < free) {
        window.admitted++;
        return true;
      }
      window.counted++;
      window.last = one;
      return false;
    },
    flush: () => endAll(isOver),
    close: () => endAll(() => true),
  };
}
