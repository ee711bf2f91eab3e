import { measureSkew } from "../shared/clock-skew.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { StoreConnection } from "../store/connect.ts";
import type { Process } from "./process.ts";

/**
 * Compares this machine's clock with the store's. Leases go by the store's clock alone, but everything else that is
 * dated here goes by this one: messages would expire early, and scheduled ones leave at the wrong time.
 * @throws StartupError with both times, when they are further apart than the settings allow
 */
export async function requireRightClock(
  { config, clock, metrics, log }: Process,
  { time }: Pick<StoreConnection, "time">,
): Promise<void> {
  const { clockSkewMaxMs: mostMs } = config.store;
  const { ownTime, storeTime, skewMs, uncertaintyMs } = await measureSkew(clock, time);
  metrics.clockSkew.set(skewMs / 1000);
  // An answer that took long says less: only what is certain counts.
  if (Math.abs(skewMs) - uncertaintyMs <= mostMs) return;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const difference = `this machine's clock says ${ownTime.toISOString()}, the database's ${storeTime.toISOString()}: ${seconds} s ${skewMs > 0 ? "ahead" : "behind"}`;
  if (mostMs > 0) {
    throw new StartupError(
      `HERMOD_CLOCK_SKEW_MAX_MS: ${difference}, and ${mostMs / 1000} s are allowed. Set the clock that is wrong (NTP), or allow more; 0 allows any difference.`,
    );
  }
  if (seconds > 0) log.warn({ skewMs: Math.round(skewMs) }, difference);
}
