/** The work exceeded its time limit. */
export const LATE: unique symbol = Symbol("late");

/**
 * Result of the work, or `LATE` if it takes longer than `ms`. Late work continues, and its result is ignored. The
 * caller ends it if possible.
 */
export async function unlessLate<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
