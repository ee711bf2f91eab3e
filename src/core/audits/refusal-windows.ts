import type { Clock } from "../../shared/clock.ts";

export interface RefusalWindowsOptions<T> {
  /** What is let through in one window of one name. */
  readonly free: number;
  readonly windowMs: number;
  /** Names with windows of their own at once; what comes of others is counted together. */
  readonly mostWindows: number;
  readonly clock: Pick<Clock, "now">;
  /**
   * Told how many were not let through in a window, when that has ended.
   * @param last the last of them
   * @param shared they are of several names
   */
  readonly onCount: (count: number, since: Date, last: T, shared: boolean) => void;
}

/** Lets a few through and counts the rest, so that nobody can write as much as he likes. */
export interface RefusalWindows<T> {
  /** True: it is let through. */
  admit(name: string, one: T): boolean;
  /** Ends the windows whose time has come. */
  flush(): void;
  /** Ends all windows. */
  close(): void;
}

interface Window<T> {
  readonly since: Date;
  admitted: number;
  counted: number;
  /** The last that was counted. */
  last: T | undefined;
}

/** The window of whoever has none of his own. */
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
