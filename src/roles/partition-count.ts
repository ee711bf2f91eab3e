import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";

/** Both stores merge what waits in so many partitions without sorting it, and fifty workers get four each, or three. */
const FRESH_COUNT = 192;
/** One worker has nobody to share with. */
const FRESH_COUNT_ALONE = 64;
/** Releases that kept no number had this one. */
const FORMER_COUNT = 64;

/**
 * How many partitions the queue has: what the store says, which the first start writes and a setting raises. It never
 * falls, because messages lie in all of them.
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
    log.warn(
      { asked, partitions: count },
      "HERMOD_PARTITIONS: the queue has more partitions, and keeps them",
    );
  } else if (before !== undefined && count > before) {
    log.info({ before, partitions: count }, "the queue has more partitions from now on");
  }
  return count;
}

/** Undefined: the store is new. */
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
