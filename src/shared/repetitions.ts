import type { Clock } from "./clock.ts";

/** A line to write, without the count of omitted ones. */
export interface Line {
  /** Lines with the same key are equal. */
  readonly key: string;
  /** @param repeated number of equal lines omitted since the last one; 0: none */
  readonly write: (repeated: number) => void;
}

/** Writes the first of several equal lines immediately, and counts the others. */
export interface Repetitions {
  add(line: Line): void;
  /** Writes the counts of ended periods. @returns whether any line is still remembered */
  sweep(): boolean;
  /** Writes all counts at the end. */
  flush(): void;
}

export interface RepetitionsOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly periodMs: number;
  /** Number of equal lines that are written before the others are counted. */
  readonly few: number;
  /** Maximum number of remembered distinct lines. */
  readonly maxKeys: number;
}

interface Known {
  /** Start of the period. */
  sinceMs: number;
  /** Lines written since the first one. */
  written: number;
  /** Lines omitted in this period. */
  leftOut: number;
  /** The last omitted line, which is written with the count. */
  last: Line;
}

/**
 * The first few equal lines are written immediately. After that, one is written per period, with the count of omitted
 * ones, until a period without any. If the memory is full, a new line replaces the longest remembered one, and the
 * count of that one is written.
 */
export function createRepetitions(options: RepetitionsOptions): Repetitions {
  const { clock, periodMs, few, maxKeys } = options;
  const known = new Map<string, Known>();

  function writeCount(one: Known): void {
    const { leftOut, last } = one;
    one.leftOut = 0;
    if (leftOut > 0) last.write(leftOut);
  }

  function evictOldest(): void {
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
        evictOldest();
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
