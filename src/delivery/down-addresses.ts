import { LRUCache } from "lru-cache";
import type { Clock } from "../shared/clock.ts";

/** Since when nobody was found at an address, and what the last one to try was told. */
export interface Down {
  readonly since: Date;
  /** Safe to show. */
  readonly reason: string;
}

/** Addresses that could not be connected to lately, so that not every message waits for the same time-out. */
export interface DownAddresses {
  /**
   * What is known against an address; undefined: it may be tried. Once the memory is old, the first who asks is let
   * through to see, and the others wait for what comes of it.
   */
  check(key: string): Down | undefined;
  failed(key: string, reason: string): void;
  answered(key: string): void;
}

interface Entry extends Down {
  probeAtMs: number;
}

const REMEMBER_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export function createDownAddresses({ clock }: { readonly clock: Clock }): DownAddresses {
  const entries = new LRUCache<string, Entry>({ max: MAX_ADDRESSES });
  return {
    check: (key) => {
      const entry = entries.get(key);
      const nowMs = clock.monotonicMs();
      if (!entry || nowMs < entry.probeAtMs) return entry;
      entry.probeAtMs = nowMs + REMEMBER_MS;
      return undefined;
    },
    failed: (key, reason) => {
      const since = entries.peek(key)?.since ?? clock.now();
      entries.set(key, { since, reason, probeAtMs: clock.monotonicMs() + REMEMBER_MS });
    },
    answered: (key) => {
      if (entries.size > 0) entries.delete(key);
    },
  };
}
