import type { Clock, Timers } from "../../shared/clock.ts";

/** The part of a lease in which its holder trusts it: clocks and writes take time. */
const TRUSTED = 0.7;
/** Parts of a lease between two attempts to prolong it. */
const ATTEMPTS = 5;

export interface HeldTurn {
  /** Aborted when the turn is lost, or the process ends. */
  readonly signal: AbortSignal;
  /** Another process may have the turn by now. */
  isLost(): boolean;
  end(): Promise<void>;
}

interface HoldTurnOptions {
  /** False: another one has the turn. */
  readonly prolong: () => Promise<boolean>;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly leaseMs: number;
  /** When the lease was asked for, on the monotonic clock. */
  readonly askedMs: number;
}

/** Prolongs the lease of a turn until its end. */
export function holdTurn(options: HoldTurnOptions): HeldTurn {
  const { clock, timers, signal, leaseMs, askedMs } = options;
  const over = new AbortController();
  let trustedUntilMs = askedMs + TRUSTED * leaseMs;
  let isTaken = false;
  let prolonging: Promise<void> | undefined;

  const isLost = () => isTaken || clock.monotonicMs() >= trustedUntilMs;

  async function prolong(): Promise<void> {
    const atMs = clock.monotonicMs();
    // While the store is away, the lease runs out.
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
