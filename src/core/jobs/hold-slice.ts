import type { Clock, Timers } from "../../shared/clock.ts";

/** Part of a lease in which its holder relies on it, because clocks and writes take time. */
const TRUSTED = 0.7;
/** Attempts per lease to renew it. */
const ATTEMPTS = 5;

export interface HeldSlice {
  /** Aborted when the lease is lost, or the process ends. */
  readonly signal: AbortSignal;
  /** Another process may hold the lease now. */
  isLost(): boolean;
  end(): Promise<void>;
}

interface HoldSliceOptions {
  /** False: another process holds the lease. */
  readonly prolong: () => Promise<boolean>;
  /** Aborted when the process must end. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly leaseMs: number;
  /** Time at which the lease was requested, on the monotonic clock. */
  readonly askedMs: number;
}

/** Renews the lease of a time slice until its end. */
export function holdSlice(options: HoldSliceOptions): HeldSlice {
  const { clock, timers, signal, leaseMs, askedMs } = options;
  const over = new AbortController();
  let trustedUntilMs = askedMs + TRUSTED * leaseMs;
  let isTaken = false;
  let prolonging: Promise<void> | undefined;

  const isLost = () => isTaken || clock.monotonicMs() >= trustedUntilMs;

  async function prolong(): Promise<void> {
    const atMs = clock.monotonicMs();
    // While the store is unavailable, the lease expires.
    const isHeld = await options.prolong().catch(() => undefined);
    if (isHeld) trustedUntilMs = atMs + TRUSTED * leaseMs;
    if (isHeld === false) isTaken = true;
    if (isLost()) over.abort(new Error("the lease of a job was lost"));
  }

  const stop = timers.every(leaseMs / ATTEMPTS, () => {
    if (isLost()) over.abort(new Error("the lease of a job expired"));
    prolonging ??= prolong().finally(() => {
      prolonging = undefined;
    });
  });
  const endWithProcess = () => over.abort(signal.reason);
  if (signal.aborted) endWithProcess();
  signal.addEventListener("abort", endWithProcess);
  return {
    signal: over.signal,
    isLost,
    end: async () => {
      stop();
      signal.removeEventListener("abort", endWithProcess);
      await prolonging;
    },
  };
}
