import type { Clock, Timers } from "../../src/shared/clock.ts";

/** A time that stands still until the test advances it. */
export interface TestTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Advances time. Due timers run in order, each at its time. */
  pass(ms: number): void;
}

interface Timer {
  atMs: number;
  readonly everyMs: number | undefined;
  readonly call: () => void;
}

export function createTestTime(startMs = Date.now()): TestTime {
  const pending = new Set<Timer>();
  let passedMs = 0;

  function add(timer: Timer): () => void {
    pending.add(timer);
    return () => void pending.delete(timer);
  }

  function firstUntil(endMs: number): Timer | undefined {
    const due = [...pending].filter(({ atMs }) => atMs <= endMs);
    return due.reduce<Timer | undefined>(
      (first, one) => (first && first.atMs <= one.atMs ? first : one),
      undefined,
    );
  }

  return {
    clock: { now: () => new Date(startMs + passedMs), monotonicMs: () => passedMs },
    timers: {
      every: (everyMs, call) => add({ atMs: passedMs + everyMs, everyMs, call }),
      after: (ms, call) => add({ atMs: passedMs + ms, everyMs: undefined, call }),
    },
    pass: (ms) => {
      const endMs = passedMs + ms;
      for (let timer = firstUntil(endMs); timer; timer = firstUntil(endMs)) {
        passedMs = Math.max(passedMs, timer.atMs);
        if (timer.everyMs === undefined) pending.delete(timer);
        else timer.atMs += timer.everyMs;
        timer.call();
      }
      passedMs = endMs;
    },
  };
}
