import type { FaultCodeName } from "../../../contracts/common/fault-codes.ts";
import { Fault, fault } from "../../shared/fault.ts";

export interface StoreOnce<T, E> {
  /**
   * Whether the request has an idempotency key. The answer to a replay then needs only one read, and neither checks
   * nor a write, which a busy or full store would refuse.
   */
  readonly isKeyed: boolean;
  /** Checks and stores; undefined: an entry with the same name already exists. @throws Fault if it is refused */
  readonly store: () => Promise<T | undefined>;
  /** The entry that an earlier request with the same name has stored. */
  readonly findEarlier: () => Promise<E | undefined>;
}

/** A name is tried again if its entry expires between two reads, which happens at most once. */
const TRIES = 3;

/** Faults that do not depend on the request: it may be accepted a moment later, or its caller no longer waits. */
const PASSING: ReadonlySet<FaultCodeName> = new Set(["store.unavailable", "internal.error", "core.timeout"]);

/** True if the same request may be accepted a moment later. */
export function isPassing({ code }: Fault): boolean {
  return PASSING.has(code);
}

/**
 * Stores a new entry, or finds the stored one. A request that was accepted once is answered in the same way again,
 * even if it would now be refused.
 * @throws Fault of `store` if nothing was stored before, idempotency.in_flight
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
