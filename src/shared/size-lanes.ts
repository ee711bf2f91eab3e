import { SMALL_SUBMISSION_BYTES } from "./byte-budget.ts";
import { type BatchOptions, createNaturalBatch, type NaturalBatch } from "./natural-batch.ts";

export interface SizeLanesOptions<T, R> extends BatchOptions<T, R> {
  /** Batches of large submissions under way at once at most, beside those of small ones. */
  readonly maxConcurrentLarge: number;
}

/** Two batches beside each other: a small submission never waits for a large one, nor travels with one. */
export function createSizeLanes<T, R>(options: SizeLanesOptions<T, R>): NaturalBatch<T, R> {
  const small = createNaturalBatch(options);
  const { run, maxItems, maxSize, sizeOf, maxAge, maxConcurrentLarge: maxConcurrent } = options;
  const large = createNaturalBatch({
    run,
    maxItems,
    maxSize,
    sizeOf,
    maxConcurrent,
    ...(maxAge && { maxAge }),
  });
  return {
    submit: (item, waitedMs) =>
      (sizeOf(item) > SMALL_SUBMISSION_BYTES ? large : small).submit(item, waitedMs),
    idle: async () => void (await Promise.all([small.idle(), large.idle()])),
  };
}
