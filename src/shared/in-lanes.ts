/** Does some work for each of many, for so many of them at a time. @throws what the work throws; what is under way then goes on */
export async function inLanes<T>(
  all: readonly T[],
  lanes: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const lane = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, all.length) }, lane));
}
