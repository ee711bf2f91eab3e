import type { Clock } from "./clock.ts";

/** One line that is to be written, without the count of those left out. */
export interface Line {
  /** What makes lines the same. */
  readonly key: string;
  /** @param repeated how many of the same were left out since the last one; 0: none */
  readonly write: (repeated: number) => void;
}

/** Writes the first of the same lines at once, and counts the others. */
export interface Repetitions {
  add(line: Line): void;
  /** Writes the counts of periods that are over. @returns whether any line is still remembered */
  sweep(): boolean;
  /** Writes all counts: nothing follows. */
  flush(): void;
}

export interface RepetitionsOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly periodMs: number;
  /** So many of the same lines are written before the others are counted. */
  readonly few: number;
  /** Different lines that are remembered at once. */
  readonly maxKeys: number;
}

interface Known {
  /** When the period began. */
  sinceMs: number;
  /** Written since it is known. */
  written: number;
  /** Left out in this period. */
  leftOut: number;
  /** The last one that was left out: it is written with the count. */
  last: Line;
}

/**
 * A few of the same lines are written as they come. After that one is written per period, with the count of those left
 * out, until a period passes without any. What has no place in memory takes that of the line that is known for longest,
 * whose count is written.
 */
export function createRepetitions(options: RepetitionsOptions): Repetitions {
  const { clock, periodMs, few, maxKeys } = options;
  const known = new Map<string, Known>();

  function writeCount(one: Known): void {
    const { leftOut, last } = one;
    one.leftOut = 0;
    if (leftOut > 0) last.write(leftOut);
  }

  function makePlace(): void {
    for (const [key, oldest] of known) {
      if (known.size < maxKeys) return;
      known.delete(key);
      writeCount(oldest);
    }
  }

  return {
    add: (line) => {
      const one = known.get(line.key);
      if (!one) {
        makePlace();
        known.set(line.key, { sinceMs: clock.monotonicMs(), written: 1, leftOut: 0, last: line });
        line.write(0);
      } else if (one.written < few) {
        one.written++;
        line.write(0);
      } else {
        one.leftOut++;
        one.last = line;
      }
    },
    sweep: () => {
      const nowMs = clock.monotonicMs();
      for (const [key, one] of known) {
        if (nowMs - one.sinceMs < periodMs) continue;
        if (one.leftOut === 0) known.delete(key);
        one.sinceMs = nowMs;
        writeCount(one);
      }
      return known.size > 0;
    },
    flush: () => {
      for (const one of known.values()) writeCount(one);
      known.clear();
    },
  };
}
