import { setImmediate as nextTurn } from "node:timers/promises";
import { createSlots as createTaskSlots } from "../../shared/slots.ts";
import { createSlots } from "../slots.ts";

/** Previews of one account and of all accounts that run or wait. */
const PREVIEWS = { of: "previews of templates", ofAccount: 4, inAll: 20, retryAfterSeconds: 2 };

/**
 * Runs previews one after the other, with a turn of the event loop before each. A preview of a hostile text blocks the
 * process for a second and a half: other calls are answered between two previews, and no account waits for more than
 * four previews of another one.
 */
export function createPreviewSlots() {
  const slots = createSlots(PREVIEWS);
  const oneAtATime = createTaskSlots(1);
  /** @throws Fault service.busy */
  return async <T>(accountId: string, render: () => T | Promise<T>): Promise<T> => {
    const giveBack = slots.take(accountId);
    try {
      return await oneAtATime(async () => {
        await nextTurn();
        return render();
      });
    } finally {
      giveBack();
    }
  };
}
