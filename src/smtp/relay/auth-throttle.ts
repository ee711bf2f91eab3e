import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { clientNetwork } from "./client-network.ts";

export interface AuthThrottleOptions {
  /** Failures of one client within the window, after which it is turned away. */
  readonly perClient: number;
  /** Failures of one key within the window, wherever they come from. */
  readonly perKey: number;
  readonly windowMs: number;
  /** Of the first failure; each further one doubles it. */
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

export interface AuthThrottle {
  /** Whether this client or this key has failed too often to be heard. */
  blocks(address: string, username: string): boolean;
  /** Counts a failure; returns how long its answer is to be held back, in milliseconds. */
  failed(address: string, username: string): number;
  /** The key was right: what went wrong before was a mistake. */
  succeeded(address: string, username: string): void;
}

/** What is forgotten first when there are more is what has not failed for longest. */
const MAX_REMEMBERED = 20_000;

/** Slows down and ends the guessing of credentials, in bounded memory. */
export function createAuthThrottle(options: AuthThrottleOptions): AuthThrottle {
  const failures = new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: options.windowMs });
  // A hash: names of keys are secrets, and as long as the client likes.
  const keyName = (username: string) => `key ${createHash("sha256").update(username).digest("base64url")}`;
  const clientName = (address: string) => `client ${clientNetwork(address)}`;

  function add(name: string): number {
    const count = (failures.get(name) ?? 0) + 1;
    failures.set(name, count);
    return count;
  }

  return {
    blocks: (address, username) =>
      (failures.get(clientName(address)) ?? 0) >= options.perClient ||
      (failures.get(keyName(username)) ?? 0) >= options.perKey,
    failed: (address, username) => {
      const count = Math.max(add(clientName(address)), add(keyName(username)));
      return Math.min(options.maxDelayMs, options.delayMs * 2 ** (count - 1));
    },
    succeeded: (address, username) => {
      failures.delete(clientName(address));
      failures.delete(keyName(username));
    },
  };
}
