import { SMALL_SUBMISSION_BYTES } from "./byte-budget.ts";
import { type BatchOptions, createNaturalBatch, type NaturalBatch } from "./natural-batch.ts";

export interface SizeLanesOptions<T, R> extends BatchOptions<T, R> {
  /** Batches of large submissions under way at once at most, beside those of small ones. */
  readonly maxConcurrentLarge: number;
  /** Sum of `sizeOf` in one batch of large submissions at most (`maxSize`); a single larger one still goes alone. */
  readonly maxSizeLarge?: number;
}

/** Two batches beside each other: a small submission never waits for a large one, nor travels with one. */
export function createSizeLanes<T, R>(options: SizeLanesOptions<T, R>): NaturalBatch<T, R> {
  const small = createNaturalBatch(options);
  const {
    run,
    maxItems,
    maxSize,
    maxSizeLarge = maxSize,
    sizeOf,
    maxAge,
    maxConcurrentLarge: maxConcurrent,
  } = options;
  const large = createNaturalBatch({
    run,
    maxItems,
    maxSize: maxSizeLarge,
    sizeOf,
    maxConcurrent,
    ...(maxAge && { maxAge }),
  });
  return {
    submit: (item, waitedMs, signal) =>
      (sizeOf(item) > SMALL_SUBMISSION_BYTES ? large : small).submit(item, waitedMs, signal),
    idle: async () => void (await Promise.all([small.idle(), large.idle()])),
  };
}
