import type { PartitionLease } from "../store/partition-store.ts";

/** The workers among whom partitions are shared out, and who of them asks. */
export interface Sharing {
  readonly workerId: string;
  /** Those that live and do not leave. */
  readonly workers: readonly string[];
  readonly partitionCount: number;
}

export interface Leased {
  readonly leases: readonly PartitionLease[];
  /** Partitions that nobody may take now: their leases run, or cannot be read. */
  readonly unavailable: ReadonlySet<number>;
  /** The store was away, or its clock has stepped: leases have run out that nobody could renew. */
  readonly wasAway: boolean;
}

/**
 * How many partitions the worker is to have. The remainder goes to the first workers, so that all partitions are taken and
 * nobody has two more than another.
 */
export function shareOf(sharing: Sharing): number {
  const { partitionCount, workers } = sharing;
  const workerCount = Math.max(1, workers.length);
  return Math.floor(partitionCount / workerCount) + (placeOf(sharing) < partitionCount % workerCount ? 1 : 0);
}

/** The partitions that may be taken, in such an order that workers who take at once seldom want the same. */
export function freePartitions(sharing: Sharing, { leases, unavailable, wasAway }: Leased): number[] {
  const { workerId, workers, partitionCount } = sharing;
  let ids = Array.from({ length: partitionCount }, (_, id) => id).filter((id) => !unavailable.has(id));
  if (wasAway) {
    // Their owners live, it seems, and may have results to write: they come first.
    const others = new Set(leases.filter(({ owner }) => owner !== workerId).map(({ _id }) => _id));
    ids = ids.filter((id) => !others.has(id));
  }
  const place = placeOf(sharing);
  const preferred = (id: number) => id % Math.max(1, workers.length) === place;
  return [...ids.filter(preferred), ...ids.filter((id) => !preferred(id))];
}

function placeOf({ workerId, workers }: Sharing): number {
  return Math.max(0, [...workers].sort().indexOf(workerId));
}
