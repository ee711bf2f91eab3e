import { fault } from "../shared/fault.ts";

/**
 * The answer, if it comes in time.
 * @param giveUp called when it does not
 * @throws Fault core.timeout
 */
export async function withDeadline<T>(ms: number, answer: Promise<T>, giveUp: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(fault("core.timeout", { retryAfterSeconds: 1 }));
      giveUp();
    }, ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
