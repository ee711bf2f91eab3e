/** The work took longer than it may. */
export const LATE: unique symbol = Symbol("late");

/**
 * The result of the work, or `LATE` when that takes longer than `ms`. Late work goes on, and what becomes of it is ignored: the
 * caller ends it where it can.
 */
export async function unlessLate<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
