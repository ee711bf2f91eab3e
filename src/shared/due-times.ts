import type { Clock } from "./clock.ts";

export interface DueTimesOptions<T> {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Called once for each entry that is still present at its time. The entry is then removed. */
  readonly onDue: (entry: T) => void;
}

export interface DueTimes<T> {
  /** @param dueMs on the monotonic clock */
  add(entry: T, dueMs: number): void;
  delete(entry: T): void;
}

/** Many times with one timer, for entries that are nearly always removed early. Adding and deleting are very cheap. */
export function createDueTimes<T>({ clock, onDue }: DueTimesOptions<T>): DueTimes<T> {
  const times = new Map<T, number>();
  let timer: NodeJS.Timeout | undefined;
  /** Time at which the timer fires, possibly for a removed entry. */
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
