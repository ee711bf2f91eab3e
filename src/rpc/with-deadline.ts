import { fault } from "../shared/fault.ts";
import { LATE, unlessLate } from "../shared/unless-late.ts";

/**
 * Returns the response if it arrives in time.
 * @param giveUp called if it does not
 * @throws Fault core.timeout
 */
export async function withDeadline<T>(ms: number, answer: Promise<T>, giveUp: () => void): Promise<T> {
  const result = await unlessLate(ms, answer);
  if (result !== LATE) return result;
  giveUp();
  throw fault("core.timeout", { retryAfterSeconds: 1 });
}
