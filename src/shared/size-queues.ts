import { SMALL_SUBMISSION_BYTES } from "./byte-budget.ts";
import { type BatchOptions, createNaturalBatch, type NaturalBatch } from "./natural-batch.ts";

export interface SizeQueuesOptions<T, R> extends BatchOptions<T, R> {
  /** Maximum number of concurrent batches of large submissions, in addition to those of small ones. */
  readonly maxConcurrentLarge: number;
  /** Maximum sum of `sizeOf` in one batch of large submissions (`maxSize`). A single larger one has its own batch. */
  readonly maxSizeLarge?: number;
}

/** Two parallel batches: a small submission never waits for a large one, and is never sent with one. */
export function createSizeQueues<T, R>(options: SizeQueuesOptions<T, R>): NaturalBatch<T, R> {
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
