import { setTimeout as sleep } from "node:timers/promises";
import { isStoreAway } from "./store-fault.ts";

/** An outage that lasts longer ends the read; the driver itself may wait longer for a server within one try. */
const OUTAGE_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Reads, and reads again for as long as the store is away for a moment. The driver makes a read twice, but both may meet
 * connections that break, and a later batch of a cursor is not read twice: a long export would end for that.
 * @param read leaves nothing behind when it fails
 * @throws whatever `read` throws, for another reason or after the outage
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
