import { createCached } from "../../shared/cached.ts";
import { Fault } from "../../shared/fault.ts";
import type { RelayRules, Submissions } from "./relay-rules.ts";
import { replyToFault } from "./reply.ts";

const MAX_REMEMBERED = 10_000;
const PERMITTED = {};

/**
 * Asks the core whether a key may send as an address, and caches a positive answer for a short time. The core checks
 * again when the message is submitted, so the cache only saves a call per message.
 * @param rememberMs 0: no cache
 */
export function createCheckSender(submissions: Submissions, rememberMs: number): RelayRules["checkSender"] {
  const permitted = createCached({
    load: async (key) => {
      const [username, password, clientAddress, address] = JSON.parse(key);
      await submissions.checkSender({ username, password, clientAddress }, address);
      return PERMITTED;
    },
    ttlMs: rememberMs,
    maxEntries: MAX_REMEMBERED,
  });

  return async ({ username, password, clientAddress }, address) => {
    try {
      await permitted.get(JSON.stringify([username, password, clientAddress, address]));
      return undefined;
    } catch (thrown) {
      return replyToFault(Fault.from(thrown));
    }
  };
}
