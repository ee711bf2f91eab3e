import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";

/** Both stores merge this many partitions without sorting, and fifty workers get four or three each. */
const FRESH_COUNT = 192;
/** A single worker shares with no other. */
const FRESH_COUNT_ALONE = 64;
/** Number of releases that did not store it. */
const FORMER_COUNT = 64;

/**
 * Number of partitions of the queue: stored by the first start and raised by a setting. It never falls, because messages are in
 * all of them.
 * @throws Fault store.unavailable
 */
export async function agreeOnPartitions(
  { config, log }: Process,
  { partitions, accounts }: Pick<Store, "partitions" | "accounts">,
  { exclusive }: { readonly exclusive: boolean },
): Promise<number> {
  const { partitions: asked } = config.store;
  const before = await partitionsSoFar({ partitions, accounts });
  const fresh = asked ?? (exclusive ? FRESH_COUNT_ALONE : FRESH_COUNT);
  const count = await partitions.raiseCount(Math.max(before ?? fresh, asked ?? 0));
  if (asked !== undefined && asked < count) {
    log.warn({ asked, partitions: count }, "HERMOD_PARTITIONS: the queue has more partitions and keeps them");
  } else if (before !== undefined && count > before) {
    log.info({ before, partitions: count }, "increased the number of queue partitions");
  }
  return count;
}

/** undefined: the store is new. */
async function partitionsSoFar({
  partitions,
  accounts,
}: Pick<Store, "partitions" | "accounts">): Promise<number | undefined> {
  const known = await partitions.count();
  if (known !== undefined) return known;
  const leased = await partitions.leasedCount();
  const wasUsed = leased !== undefined || (await accounts.first()) !== null;
  return wasUsed ? Math.max(FORMER_COUNT, leased ?? 0) : undefined;
}
