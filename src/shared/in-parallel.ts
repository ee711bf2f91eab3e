/**
 * Runs work for each item, for at most `lanes` items at a time.
 * @throws the first error of the work, after all work in progress has ended. The other lanes continue with the rest of
 * a failed lane
 */
export async function inParallel<T>(
  all: readonly T[],
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, all.length) }, worker));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
