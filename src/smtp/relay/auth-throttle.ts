import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { clientNetwork } from "../../shared/client-network.ts";
import { createLru } from "../../shared/lru.ts";

export interface AuthThrottleOptions {
  /** How long a failure counts after the last one. */
  readonly windowMs: number;
  /** The wait after the first failure; each further one doubles it. */
  readonly delayMs: number;
  readonly maxDelayMs: number;
  /** How many answers are held back at once, of all clients and of one. */
  readonly maxHeld: number;
  readonly maxHeldPerClient: number;
}

export interface AuthThrottle {
  /**
   * Counts a failure, and resolves when its answer may be given.
   * @returns false, at once: more answers are held back than may be, and the session is to end
   */
  hold(address: string, username: string): Promise<boolean>;
  /** This client knows the key: what went wrong before with it was a mistake. What it did with others stays counted. */
  succeeded(address: string, username: string): void;
}

/** What is forgotten first when there are more is what has not failed for longest. */
const MAX_REMEMBERED = 20_000;
/** Failures of one client, with whatever keys, that count like one more with one key: there may be many behind it. */
const FAILURES_LIKE_ONE = 4;

/**
 * Slows down the guessing of credentials, in bounded memory. Wrong ones alone are slowed: a right one is let through
 * at once, however many others are guessing from its address or at its key, so that nobody can lock its owner out.
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

/** A process that ends does not wait for those who guess. */
async function sleepUnreferenced(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}

/** A hash: names of keys are secrets, and as long as the client likes. */
function pairName(client: string, username: string): string {
  return `${client} ${createHash("sha256").update(username).digest("base64url")}`;
}
