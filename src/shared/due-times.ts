import type { Clock } from "./clock.ts";

export interface DueTimesOptions<T> {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Told of each that is still there at its time, once; it is there no more then. */
  readonly onDue: (entry: T) => void;
}

export interface DueTimes<T> {
  /** @param dueMs of the monotonic clock */
  add(entry: T, dueMs: number): void;
  delete(entry: T): void;
}

/** Many times with one timer, for what nearly always ends long before: adding and deleting cost next to nothing. */
export function createDueTimes<T>({ clock, onDue }: DueTimesOptions<T>): DueTimes<T> {
  const times = new Map<T, number>();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires; it may be for an entry that is gone. */
  let timerMs = Number.POSITIVE_INFINITY;

  function arm(dueMs: number): void {
    if (dueMs >= timerMs) return;
    clearTimeout(timer);
    timerMs = dueMs;
    timer = setTimeout(fire, Math.max(1, Math.ceil(dueMs - clock.monotonicMs()))).unref();
  }

  function fire(): void {
    timerMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.monotonicMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [entry, dueMs] of times) {
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      else if (times.delete(entry)) onDue(entry);
    }
    arm(nextMs);
  }

  return {
    add: (entry, dueMs) => {
      times.set(entry, dueMs);
      arm(dueMs);
    },
    delete: (entry) => void times.delete(entry),
  };
}
