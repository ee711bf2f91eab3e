import type { Partitions } from "../../leases/partitions.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Pending } from "./pending.ts";
import type { Quarantine } from "./quarantine.ts";
import type { UnderWay } from "./under-way.ts";

export interface FindStraysOptions {
  readonly queue: Pick<AcrossAccounts["queue"], "findStrays">;
  readonly partitions: Pick<Partitions, "held" | "count">;
  readonly pending: Pick<Pending, "isWaiting">;
  readonly underWay: Pick<UnderWay, "has">;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  /** Maximum time until a message is due, except by its own `sendAt`. */
  readonly latestMs: number;
}

/**
 * Quarantines waiting messages that polling never finds, because the store has damaged fields of them. A call before the next
 * check is due does nothing.
 * @throws Fault store.unavailable
 */
export type FindStrays = () => Promise<void>;

/** Maximum of messages that one check quarantines; the next one continues. */
const LIMIT = 500;
const EVERY_MS = 20_000;
/** Fraction of the time that the check may take, as a divisor. */
const REST_FACTOR = 10;

export function createFindStrays(options: FindStraysOptions): FindStrays {
  const { queue, partitions, pending, underWay, quarantine, clock, latestMs } = options;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    const held = partitions.held();
    if (held.length === 0) return;
    const partitionCount = await partitions.count();
    const latest = new Date(clock.now().getTime() + latestMs);
    const found = await queue.findStrays({ partitions: held, partitionCount, latest, limit: LIMIT });
    // An attempt of this process ends it, or finds the damage when it is recorded.
    await quarantine(found.filter(({ id }) => !pending.isWaiting(id) && !underWay.has(id)));
  }

  return async () => {
    const startedMs = clock.monotonicMs();
    if (startedMs < nextMs) return;
    nextMs = Number.POSITIVE_INFINITY;
    try {
      await check();
    } finally {
      const endedMs = clock.monotonicMs();
      nextMs = endedMs + Math.max(EVERY_MS, (endedMs - startedMs) * REST_FACTOR);
    }
  };
}
