import { fault } from "../../shared/fault.ts";
import { createSlots, type Slots } from "../../shared/slots.ts";

const RETRY_SECONDS = 2;

/** A thread or all slots are taken: the client may repeat the request after two seconds. */
export function busy() {
  return fault("service.busy", { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Slots for costly tasks. Tasks beyond a limit are refused.
 * @param mostWaiting tasks that wait or run, at most
 * @throws Fault service.busy
 */
export function createBoundedSlots(count: number, mostWaiting: number): Slots {
  const slot = createSlots(count);
  /** Tasks that wait or run; each call changes it. */
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
