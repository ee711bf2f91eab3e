import { measureSkew } from "../shared/clock-skew.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { StoreConnection } from "../store/connect.ts";
import type { Process } from "./process.ts";

/**
 * Compares the clock of this machine with that of the store. Leases use only the store's clock, but all other times use this
 * one: with a wrong clock, messages would expire early, and scheduled ones be sent at the wrong time.
 * @throws StartupError with both times, when they differ by more than the settings allow
 */
export async function requireRightClock(
  { config, clock, metrics, log }: Process,
  { time }: Pick<StoreConnection, "time">,
): Promise<void> {
  const { clockSkewMaxMs: mostMs } = config.store;
  const { ownTime, storeTime, skewMs, uncertaintyMs } = await measureSkew(clock, time);
  metrics.clockSkew.set(skewMs / 1000);
  // A slow answer is less exact: only the certain difference counts.
  if (Math.abs(skewMs) - uncertaintyMs <= mostMs) return;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const difference = `this machine's clock says ${ownTime.toISOString()}, the database's ${storeTime.toISOString()}: ${seconds} s ${skewMs > 0 ? "ahead" : "behind"}`;
  if (mostMs > 0) {
    throw new StartupError(
      `HERMOD_CLOCK_SKEW_MAX_MS: ${difference}, but at most ${mostMs / 1000} s are allowed. Correct the wrong clock (NTP) or allow more; 0 allows any difference.`,
    );
  }
  if (seconds > 0) log.warn({ skewMs: Math.round(skewMs) }, difference);
}
