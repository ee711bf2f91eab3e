import { fault } from "../../shared/fault.ts";
import { createSlots, type Slots } from "../../shared/slots.ts";

const RETRY_SECONDS = 2;

/** A thread or all slots are in use: the client may repeat the request after two seconds. */
export function busy() {
  return fault("service.busy", { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Slots for costly tasks. Tasks beyond the limit are refused.
 * @param mostWaiting maximum number of tasks that wait or run
 * @throws Fault service.busy
 */
export function createBoundedSlots(count: number, mostWaiting: number): Slots {
  const slot = createSlots(count);
  /** Number of tasks that wait or run; each call changes it. */
  let waiting = 0;
  return async (task) => {
    if (waiting >= mostWaiting) throw busy();
    waiting++;
    try {
      return await slot(task);
    } finally {
      waiting--;
    }
  };
}
