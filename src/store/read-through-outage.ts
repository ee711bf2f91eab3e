import { setTimeout as sleep } from "node:timers/promises";
import { isStoreAway } from "./store-fault.ts";

/** A longer outage ends the read. The driver itself may wait longer for a server within one attempt. */
const OUTAGE_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Reads, and retries during a short outage of the store. The driver retries a read once, but both attempts may use
 * broken connections, and it never retries a later batch of a cursor: a long export would fail.
 * @param read leaves nothing behind if it fails
 * @throws every other error of `read`, and its error after the outage
 */
export async function readThroughOutage<T>(read: () => Promise<T>, outageMs = OUTAGE_MS): Promise<T> {
  const beganAt = performance.now();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreAway(error) || performance.now() - beganAt > outageMs) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
