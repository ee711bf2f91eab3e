import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import { PARTITION_COUNT } from "../shared/partition.ts";
import type { PartitionStore } from "../store/partition-store.ts";

/** A lease that is not renewed runs out after this. */
const LEASE_MS = 10_000;
/** How often leases are renewed and shared out anew. */
const ROUND_MS = 2_000;
/** A lease counts as lost this long before it runs out: clocks and writes take time. */
const SAFETY_MS = 2_000;

const allPartitions = Array.from({ length: PARTITION_COUNT }, (_, id) => id);

export interface Partitions {
  /** The partitions that this worker may deliver right now. */
  held(): readonly number[];
  holds(partition: number): boolean;
  /** One round of renewing, taking and giving up; never rejects. */
  round(): Promise<void>;
  /** Starts the rounds; the first one is done when it resolves. */
  start(): Promise<void>;
  /** Gives everything up, for the other workers to take at once. */
  stop(): Promise<void>;
}

export interface PartitionsOptions {
  readonly store: PartitionStore;
  readonly workerId: string;
  /** Whether a message of the partition is being delivered: it is not given up before that ends. */
  readonly busy: (partition: number) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The leases of one worker: an equal share of the partitions, held against the others by documents that run out.
 * A worker that cannot renew stops delivering before another one may begin.
 */
export function createPartitions({ store, workerId, busy, clock, log }: PartitionsOptions): Partitions {
  let held = new Set<number>();
  /** Still leased, no longer delivered. */
  let retiring = new Set<number>();
  /** On the monotonic clock: what wall clocks do must not prolong a lease. */
  let validUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function leaseValid(): boolean {
    return clock.monotonicMs() < validUntilMs;
  }

  async function share(): Promise<void> {
    const startedMs = clock.monotonicMs();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LEASE_MS);
    await store.announceWorker(workerId, expiresAt);
    const leased = [...held, ...retiring];
    if (leased.length > 0) await store.renew(workerId, leased, now, expiresAt);
    const [workers, leases] = await Promise.all([store.liveWorkers(now), store.list()]);
    const active = leases.filter((lease) => lease.expiresAt > now);
    const mine = new Set(active.filter(({ owner }) => owner === workerId).map(({ _id }) => _id));
    const wanted = Math.ceil(PARTITION_COUNT / Math.max(1, workers.length));
    // Nothing new is started for what is over the share; it is given up once nothing of it is under way.
    retiring = new Set([...mine].slice(wanted));
    for (const id of retiring) mine.delete(id);
    held = new Set(mine);
    const idle = [...retiring].filter((id) => !busy(id));
    if (idle.length > 0) await store.release(workerId, idle, now);
    for (const id of idle) retiring.delete(id);
    const taken = new Set(active.map(({ _id }) => _id));
    const free = allPartitions.filter((id) => !taken.has(id)).slice(0, Math.max(0, wanted - mine.size));
    const won = await Promise.all(free.map((id) => store.take(id, workerId, now, expiresAt)));
    for (const [index, id] of free.entries()) if (won[index]) mine.add(id);
    held = mine;
    validUntilMs = startedMs + LEASE_MS - SAFETY_MS;
  }

  async function round(): Promise<void> {
    try {
      await share();
    } catch (error) {
      log.warn({ err: error, leaseValid: leaseValid() }, "partition leases could not be renewed");
    }
  }

  return {
    held: () => (leaseValid() ? [...held] : []),
    holds: (partition) => held.has(partition) && leaseValid(),
    round,
    start: async () => {
      await round();
      timer = setInterval(() => {
        running = running.then(round);
      }, ROUND_MS);
    },
    stop: async () => {
      clearInterval(timer);
      await running;
      const ids = [...held, ...retiring];
      held = new Set();
      await store.release(workerId, ids, clock.now());
      await store.removeWorker(workerId);
    },
  };
}
