import { createLru } from "./lru.ts";

export interface Cached<T> {
  /** Returns the cached or loaded value. A missing value is loaded again each time. */
  get(key: string): Promise<T | undefined>;
  /** Returns only a cached value. */
  peek(key: string): T | undefined;
  clear(): void;
}

export interface CachedOptions<T> {
  readonly load: (key: string) => Promise<T | null | undefined>;
  /** Maximum age of a cached value; 0: no cache. */
  readonly ttlMs: number;
  readonly maxEntries: number;
}

/** A read-through cache. Concurrent callers with the same key share one load. */
export function createCached<T extends object>({ load, ttlMs, maxEntries }: CachedOptions<T>): Cached<T> {
  const entries = createLru<T>(maxEntries, { ttl: Math.max(ttlMs, 1) });
  const loading = new Map<string, Promise<T | undefined>>();
  let generation = 0;

  async function loadOnce(key: string): Promise<T | undefined> {
    const startedIn = generation;
    try {
      const value = (await load(key)) ?? undefined;
      // A clear() during the load means that this value may be stale, so it is returned but not cached.
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
