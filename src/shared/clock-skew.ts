import type { Clock } from "./clock.ts";

/** Difference between a clock and the store's clock. */
export interface ClockSkew {
  /** Time of the store's clock. */
  readonly storeTime: Date;
  /** Estimated time of the compared clock at that moment. */
  readonly ownTime: Date;
  /** Time by which the clock is ahead of the store's; negative: behind. */
  readonly skewMs: number;
  /** Maximum error of the skew: half of the response time. */
  readonly uncertaintyMs: number;
}

/** Compares a clock with the store's through one request. The response time is split in half for both directions. */
export async function measureSkew(clock: Clock, askStoreTime: () => Promise<Date>): Promise<ClockSkew> {
  const askedMs = clock.monotonicMs();
  const askedAt = clock.now().getTime();
  const storeTime = await askStoreTime();
  const uncertaintyMs = (clock.monotonicMs() - askedMs) / 2;
  const ownTime = new Date(askedAt + uncertaintyMs);
  return { storeTime, ownTime, skewMs: ownTime.getTime() - storeTime.getTime(), uncertaintyMs };
}
