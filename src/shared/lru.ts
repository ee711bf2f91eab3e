import { LRUCache } from "lru-cache";

export type Lru<V extends object | number> = LRUCache<string, V, unknown>;

/**
 * A map of the most recently used entries, up to a maximum. It grows with its entries: as `max` of lru-cache, the
 * maximum would cost some 30 bytes per entry, and time to fill them, in advance.
 */
export function createLru<V extends object | number>(
  most: number,
  options: Omit<LRUCache.OptionsBase<string, V, unknown>, "max" | "maxSize" | "sizeCalculation"> = {},
): Lru<V> {
  return new LRUCache<string, V, unknown>({ ...options, maxSize: most, sizeCalculation: one });
}

const one = () => 1;
