import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { clientNetwork } from "../../shared/client-network.ts";
import { createLru } from "../../shared/lru.ts";

export interface AuthThrottleOptions {
  /** Time for which a failure counts after the last failure. */
  readonly windowMs: number;
  /** Delay after the first failure. Each further failure doubles it. */
  readonly delayMs: number;
  readonly maxDelayMs: number;
  /** Delayed answers at once, of all clients and of one client. */
  readonly maxHeld: number;
  readonly maxHeldPerClient: number;
}

export interface AuthThrottle {
  /**
   * Counts a failure, and resolves when its answer may be sent.
   * @returns false immediately: too many answers are delayed, and the session must end
   */
  hold(address: string, username: string): Promise<boolean>;
  /** The client knows the key, so its earlier failures with this key were mistakes. Its failures with other keys still count. */
  succeeded(address: string, username: string): void;
}

/** Above this number, the entries without a failure for the longest time are removed first. */
const MAX_REMEMBERED = 20_000;
/** This many failures of one client, with any keys, count like one failure with one key: many users may share the address. */
const FAILURES_LIKE_ONE = 4;

/**
 * Delays the guessing of credentials, with bounded memory. Only wrong credentials are delayed. A correct credential
 * succeeds immediately, even while other clients guess from its address or for its key, so no attacker can lock out its
 * owner.
 */
export function createAuthThrottle(options: AuthThrottleOptions, wait = sleepUnreferenced): AuthThrottle {
  const failures = createLru<number>(MAX_REMEMBERED, { ttl: options.windowMs });
  const heldOf = new Map<string, number>();
  let held = 0;

  function add(name: string): number {
    const count = (failures.get(name) ?? 0) + 1;
    failures.set(name, count);
    return count;
  }

  function delayMs(client: string, username: string): number {
    const doublings = Math.max(
      add(pairName(client, username)) - 1,
      Math.floor(add(client) / FAILURES_LIKE_ONE),
    );
    return Math.min(options.maxDelayMs, options.delayMs * 2 ** doublings);
  }

  function keep(client: string, step: number): void {
    held += step;
    const left = (heldOf.get(client) ?? 0) + step;
    if (left > 0) heldOf.set(client, left);
    else heldOf.delete(client);
  }

  return {
    hold: async (address, username) => {
      const client = clientNetwork(address);
      const ms = delayMs(client, username);
      if (held >= options.maxHeld || (heldOf.get(client) ?? 0) >= options.maxHeldPerClient) return false;
      keep(client, 1);
      await wait(ms);
      keep(client, -1);
      return true;
    },
    succeeded: (address, username) => void failures.delete(pairName(clientNetwork(address), username)),
  };
}

/** The delay does not keep the process alive. */
async function sleepUnreferenced(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}

/** Hashes the pair: names of keys are secrets, and clients choose their length. */
function pairName(client: string, username: string): string {
  return `${client} ${createHash("sha256").update(username).digest("base64url")}`;
}
