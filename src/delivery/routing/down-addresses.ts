import type { Clock } from "../../shared/clock.ts";
import { createLru } from "../../shared/lru.ts";
import type { Phrase } from "../../shared/phrase.ts";

/** Time since which an address fails, and the last error. */
export interface Down {
  readonly since: Date;
  readonly reason: Phrase;
}

/** Addresses that recently refused connections, so that not every message waits for the same timeout. */
export interface DownAddresses {
  /**
   * Known failure of an address; undefined: it may be tried. When the memory is old, the first caller tries the address, and
   * the others wait for the result.
   */
  check(key: string): Down | undefined;
  /** @param tookMs duration of the failure: failures that are detected quickly are remembered briefly */
  failed(key: string, reason: Phrase, tookMs: number): void;
  answered(key: string): void;
}

interface Entry extends Down {
  probeAtMs: number;
  readonly rememberMs: number;
}

/** A failure is remembered for ten times its duration, within these bounds. */
const REMEMBER_FACTOR = 10;
const LEAST_REMEMBER_MS = 5_000;
const MOST_REMEMBER_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export function createDownAddresses({ clock }: { readonly clock: Clock }): DownAddresses {
  const entries = createLru<Entry>(MAX_ADDRESSES);
  return {
    check: (key) => {
      const entry = entries.get(key);
      const nowMs = clock.monotonicMs();
      if (!entry || nowMs < entry.probeAtMs) return entry;
      entry.probeAtMs = nowMs + entry.rememberMs;
      return undefined;
    },
    failed: (key, reason, tookMs) => {
      const since = entries.peek(key)?.since ?? clock.now();
      const rememberMs = Math.min(MOST_REMEMBER_MS, Math.max(LEAST_REMEMBER_MS, tookMs * REMEMBER_FACTOR));
      entries.set(key, { since, reason, rememberMs, probeAtMs: clock.monotonicMs() + rememberMs });
    },
    answered: (key) => {
      if (entries.size > 0) entries.delete(key);
    },
  };
}
