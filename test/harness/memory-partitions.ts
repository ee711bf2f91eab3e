import type { Claim } from "../../src/store/documents.ts";
import type { PartitionLease, PartitionStore } from "../../src/store/partition-store.ts";

interface Worker {
  readonly expiresAt: number;
  readonly claims: readonly Claim[];
  readonly leaving: boolean;
}

/** Leases and workers in memory with a test clock. Each operation is atomic, as in the store. */
export function memoryPartitions(nowMs: () => number): PartitionStore {
  const leases = new Map<number, { owner: string; epoch: number; expiresAt: number }>();
  const workers = new Map<string, Worker>();
  const found = <T>(documents: T[]) => ({ documents, unreadable: [] });

  return {
    count: async () => undefined,
    leasedCount: async () => undefined,
    raiseCount: async (count) => count,
    announceWorker: async (id, leaseMs, { claims, leaving } = { claims: [], leaving: false }) => {
      workers.set(id, { expiresAt: nowMs() + leaseMs, claims: structuredClone(claims), leaving });
      return new Date(nowMs());
    },
    removeWorker: async (id) => void workers.delete(id),
    liveWorkers: async () => {
      const live = [...workers].filter(([, { expiresAt }]) => expiresAt > nowMs());
      return found(live.map(([_id, { claims, leaving }]) => ({ _id, claims, leaving })));
    },
    list: async () =>
      found(
        [...leases].map(([_id, { owner, epoch, expiresAt }]): PartitionLease => {
          return { _id, owner, epoch, expiresAt: new Date(expiresAt), active: expiresAt > nowMs() };
        }),
      ),
    renew: async (owner, ids, leaseMs) => {
      const own = ids.flatMap((id) => leases.get(id) ?? []).filter((lease) => lease.owner === owner);
      const kept = own.filter(({ expiresAt }) => expiresAt > nowMs());
      for (const lease of kept) lease.expiresAt = nowMs() + leaseMs;
      return kept.length;
    },
    take: async (id, owner, leaseMs) => {
      const lease = leases.get(id);
      if (lease && lease.owner !== owner && lease.expiresAt > nowMs()) return undefined;
      const epoch = (lease?.epoch ?? 0) + 1;
      leases.set(id, { owner, epoch, expiresAt: nowMs() + leaseMs });
      return { epoch, at: new Date(nowMs()) };
    },
    release: async (owner, ids) => {
      for (const id of ids) {
        const lease = leases.get(id);
        if (lease?.owner === owner) lease.expiresAt = nowMs();
      }
    },
  };
}
