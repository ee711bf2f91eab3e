/**
 * Does some work for each of many, for so many of them at a time.
 * @throws what the work throws first; by then nothing is under way any more, and the rest of a lane that failed is left to the others
 */
export async function inLanes<T>(
  all: readonly T[],
  lanes: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const lane = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(lanes, all.length) }, lane));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
