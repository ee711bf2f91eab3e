import type { PartitionLease } from "../store/partition-store.ts";

/** Workers that share the partitions, and the worker that asks. */
export interface Sharing {
  readonly workerId: string;
  /** Live workers that are not leaving. */
  readonly workers: readonly string[];
  readonly partitionCount: number;
}

export interface Leased {
  readonly leases: readonly PartitionLease[];
  /** Partitions that no worker may take now, because their leases run or are unreadable. */
  readonly unavailable: ReadonlySet<number>;
  /** The store was unavailable, or its clock has stepped: leases have expired that no worker could renew. */
  readonly wasAway: boolean;
}

/**
 * Number of partitions for the worker. The remainder goes to the first workers, so that all partitions are taken and
 * the numbers differ by at most one.
 */
export function shareOf(sharing: Sharing): number {
  const { partitionCount, workers } = sharing;
  const workerCount = Math.max(1, workers.length);
  return (
    Math.floor(partitionCount / workerCount) + (positionOf(sharing) < partitionCount % workerCount ? 1 : 0)
  );
}

/** Partitions that may be taken, in an order that differs between workers, so that concurrent workers seldom want the same. */
export function freePartitions(sharing: Sharing, { leases, unavailable, wasAway }: Leased): number[] {
  const { workerId, workers, partitionCount } = sharing;
  let ids = Array.from({ length: partitionCount }, (_, id) => id).filter((id) => !unavailable.has(id));
  if (wasAway) {
    // Their owners seem to be alive and may have results to write, so they come first.
    const others = new Set(leases.filter(({ owner }) => owner !== workerId).map(({ _id }) => _id));
    ids = ids.filter((id) => !others.has(id));
  }
  const position = positionOf(sharing);
  const preferred = (id: number) => id % Math.max(1, workers.length) === position;
  return [...ids.filter(preferred), ...ids.filter((id) => !preferred(id))];
}

function positionOf({ workerId, workers }: Sharing): number {
  return Math.max(0, [...workers].sort().indexOf(workerId));
}
