import { createLru } from "./lru.ts";

export interface Cached<T> {
  /** From memory, or loaded; what is not there is asked for again each time. */
  get(key: string): Promise<T | undefined>;
  /** From memory alone. */
  peek(key: string): T | undefined;
  clear(): void;
}

export interface CachedOptions<T> {
  readonly load: (key: string) => Promise<T | null | undefined>;
  /** How long an answer may come from memory; 0: never. */
  readonly ttlMs: number;
  readonly maxEntries: number;
}

/** A read-through cache: callers that want the same key at once share one load. */
export function createCached<T extends object>({ load, ttlMs, maxEntries }: CachedOptions<T>): Cached<T> {
  const entries = createLru<T>(maxEntries, { ttl: Math.max(ttlMs, 1) });
  const loading = new Map<string, Promise<T | undefined>>();
  let generation = 0;

  async function loadOnce(key: string): Promise<T | undefined> {
    const startedIn = generation;
    try {
      const value = (await load(key)) ?? undefined;
      // A clear() while loading means that this answer may be stale: it is given, not kept.
      if (value !== undefined && ttlMs > 0 && startedIn === generation) entries.set(key, value);
      return value;
    } finally {
      if (startedIn === generation) loading.delete(key);
    }
  }

  return {
    get: (key) => {
      const known = entries.get(key);
      if (known !== undefined) return Promise.resolve(known);
      const pending = loading.get(key) ?? loadOnce(key);
      loading.set(key, pending);
      return pending;
    },
    peek: (key) => entries.get(key),
    clear: () => {
      generation++;
      loading.clear();
      entries.clear();
    },
  };
}
