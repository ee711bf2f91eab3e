import { LRUCache } from "lru-cache";

export type Lru<V extends object | number> = LRUCache<string, V, unknown>;

/**
 * A map of the entries that were used last, so many at most. It grows as entries come: given as its `max`, the number would
 * cost lru-cache some 30 bytes for each entry, and the time to fill them, before there is any.
 */
export function createLru<V extends object | number>(
  most: number,
  options: Omit<LRUCache.OptionsBase<string, V, unknown>, "max" | "maxSize" | "sizeCalculation"> = {},
): Lru<V> {
  return new LRUCache<string, V, unknown>({ ...options, maxSize: most, sizeCalculation: one });
}

const one = () => 1;
