import { LRUCache } from "lru-cache";
import { Fault } from "../../shared/fault.ts";
import type { Credential, RelayRules, Submissions } from "./relay-rules.ts";
import { replyToFault } from "./reply.ts";

const MAX_REMEMBERED = 10_000;

/**
 * Asks the core whether a key may send as an address; a yes is good for a moment. The core looks again when the message
 * is submitted: this only spares it the question for every message.
 * @param rememberMs 0: every time
 */
export function createCheckSender(submissions: Submissions, rememberMs: number): RelayRules["checkSender"] {
  const permitted = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: Math.max(1, rememberMs) });

  async function ask(key: string, credential: Credential, address: string) {
    try {
      await submissions.checkSender(credential, address);
      if (rememberMs > 0) permitted.set(key, true);
      return undefined;
    } catch (thrown) {
      return replyToFault(Fault.from(thrown));
    }
  }

  return async (credential, address) => {
    const { username, password, clientAddress } = credential;
    const key = [username, password, clientAddress, address].join("\0");
    return permitted.has(key) ? undefined : ask(key, credential, address);
  };
}
