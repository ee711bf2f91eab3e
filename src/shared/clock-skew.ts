import type { Clock } from "./clock.ts";

/** How one clock compares with the store's. */
export interface ClockSkew {
  /** What the store's clock said. */
  readonly storeTime: Date;
  /** What the clock compared said at that moment, as well as can be told. */
  readonly ownTime: Date;
  /** How far ahead of the store's the clock is; negative: behind. */
  readonly skewMs: number;
  /** The skew is right to this: half of the time that the answer took. */
  readonly uncertaintyMs: number;
}

/** Compares a clock with the store's, by one question to it; half of the way there and back counts for each. */
export async function measureSkew(clock: Clock, askStoreTime: () => Promise<Date>): Promise<ClockSkew> {
  const askedMs = clock.monotonicMs();
  const askedAt = clock.now().getTime();
  const storeTime = await askStoreTime();
  const uncertaintyMs = (clock.monotonicMs() - askedMs) / 2;
  const ownTime = new Date(askedAt + uncertaintyMs);
  return { storeTime, ownTime, skewMs: ownTime.getTime() - storeTime.getTime(), uncertaintyMs };
}
