import type { FaultCodeName } from "../../../contracts/common/fault-codes.ts";
import { Fault, fault } from "../../shared/fault.ts";

export interface StoreOnce<T, E> {
  /**
   * Whether the caller named the request with an idempotency key. The answer to a replay then waits for one read: neither
   * for checks nor for a write, which a busy or full store refuses.
   */
  readonly isKeyed: boolean;
  /** Checks and stores; undefined: something of the same name is there already. @throws Fault when it is refused */
  readonly store: () => Promise<T | undefined>;
  /** What an earlier request with the same name has stored. */
  readonly findEarlier: () => Promise<E | undefined>;
}

/** A name whose holder expires between two looks is tried again, which happens once at the most. */
const TRIES = 3;

/** Faults that say nothing about the request: the same may be accepted a moment later, or has nobody who waits. */
const PASSING: ReadonlySet<FaultCodeName> = new Set(["store.unavailable", "internal.error", "core.timeout"]);

/** True where the same request may be accepted a moment later. */
export function isPassing({ code }: Fault): boolean {
  return PASSING.has(code);
}

/**
 * Stores what is new, or finds what was stored before. A request that was accepted once is answered as it was then, even
 * if it would be refused by now.
 * @throws Fault that of `store` when nothing was stored before, idempotency.in_flight
 */
export async function storeOnce<T, E>({
  isKeyed,
  store,
  findEarlier,
}: StoreOnce<T, E>): Promise<{ readonly stored: T } | { readonly earlier: E }> {
  const replayed = isKeyed ? await findEarlier() : undefined;
  if (replayed) return { earlier: replayed };
  for (let tries = 1; tries <= TRIES; tries++) {
    let refusal: Fault | undefined;
    try {
      const stored = await store();
      if (stored !== undefined) return { stored };
    } catch (error) {
      refusal = Fault.from(error);
      if (isPassing(refusal)) throw refusal;
    }
    const earlier = await findEarlier();
    if (earlier) return { earlier };
    if (refusal) throw refusal;
  }
  throw fault("idempotency.in_flight", { retryAfterSeconds: 1 });
}
