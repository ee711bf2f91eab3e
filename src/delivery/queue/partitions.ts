import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { PARTITION_COUNT } from "../../shared/partition.ts";
import type { PartitionDocument } from "../../store/documents.ts";
import type { PartitionStore } from "../../store/partition-store.ts";

/** A lease that is not renewed runs out after this. */
const LEASE_MS = 3_500;
/** How often leases are renewed and shared out anew. */
const ROUND_MS = 1_000;
/** A lease counts as lost this long before it runs out: clocks and writes take time. */
const SAFETY_MS = 1_200;
/** Rounds further apart than this: the store was away, for everybody. */
const OUTAGE_MS = LEASE_MS - SAFETY_MS;

const allPartitions = Array.from({ length: PARTITION_COUNT }, (_, id) => id);

/** The right to deliver a partition's messages. */
export interface Lease {
  /** Grows with every change of the owner: writes under an earlier one are refused. */
  readonly epoch: number;
  /** When this worker took the partition; before that, somebody else may have had its messages. */
  readonly since: Date;
}

export interface Partitions {
  /** The partitions that this worker may deliver right now. */
  held(): readonly number[];
  /** The lease of a partition; undefined: it is not this worker's right now. */
  lease(partition: number): Lease | undefined;
  /** Whether nobody else can have the partition since that epoch: what was begun under it may be finished. */
  mayFinish(partition: number, epoch: number): boolean;
  /** Into how many parts the work is shared: live workers, this one included. */
  workers(): number;
  /** One round of renewing, taking and giving up; never rejects. */
  round(): Promise<void>;
  /** Starts the rounds; the first one is done when it resolves. */
  start(): Promise<void>;
  /** Wants nothing any more: the rounds give up what others are there to take. */
  leave(): void;
  /** Gives everything up, for the other workers to take at once. */
  stop(): Promise<void>;
}

/** What the leases need to know of the deliveries under way. */
export interface Deliveries {
  /** Whether a message of the partition is being delivered. */
  busy(partition: number): boolean;
  /** Hides what is being delivered of these partitions from their next owner. */
  hold(partitions: readonly number[]): Promise<void>;
  /** These partitions were given on or lost: what waits of them under their former epochs must not be begun. */
  lost(partitions: readonly number[]): void;
}

export interface PartitionsOptions {
  readonly store: PartitionStore;
  readonly workerId: string;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The leases of one worker: an equal share of the partitions, held against the others by documents that run out.
 * A worker that cannot renew stops delivering before another one may begin.
 */
export function createPartitions({ store, workerId, deliveries, clock, log }: PartitionsOptions): Partitions {
  let held = new Map<number, Lease>();
  /** Still leased, no longer delivered; in the second round they go, whatever is under way. */
  let retiring = new Map<number, Lease>();
  let workerCount = 1;
  /** On the monotonic clock: what wall clocks do must not prolong a lease. */
  let validUntilMs = 0;
  let lastRoundMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let leaving = false;

  function leaseValid(): boolean {
    return clock.monotonicMs() < validUntilMs;
  }

  async function share(): Promise<void> {
    const startedMs = clock.monotonicMs();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LEASE_MS);
    const leased = [...held.keys(), ...retiring.keys()];
    await Promise.all([
      leaving ? store.removeWorker(workerId) : store.announceWorker(workerId, expiresAt),
      leased.length > 0 ? store.renew(workerId, leased, now, expiresAt) : undefined,
    ]);
    const [workers, leases] = await Promise.all([store.liveWorkers(now), store.list()]);
    const active = leases.filter((lease) => lease.expiresAt > now);
    const mine = ownLeases(active, now);
    workerCount = Math.max(1, workers.length);
    const isOver = leaving && workers.some((id) => id !== workerId);
    const wanted = isOver ? 0 : Math.ceil(PARTITION_COUNT / workerCount);
    const surplus = new Map([...mine].slice(wanted));
    for (const id of surplus.keys()) mine.delete(id);
    // From here on nothing new is started for what is over the share.
    change(mine);
    await giveUp(surplus, now);
    for (const [id, lease] of await take(wanted - mine.size, { workers, leases, active, now, expiresAt })) {
      mine.set(id, lease);
    }
    validUntilMs = startedMs + LEASE_MS - SAFETY_MS;
    lastRoundMs = startedMs;
  }

  function change(leases: Map<number, Lease>): void {
    const before = held;
    held = leases;
    deliveries.lost(
      [...before].filter(([id, { epoch }]) => leases.get(id)?.epoch !== epoch).map(([id]) => id),
    );
  }

  function ownLeases(active: readonly PartitionDocument[], now: Date): Map<number, Lease> {
    const mine = new Map<number, Lease>();
    for (const { _id: id, owner, epoch } of active) {
      if (owner !== workerId) continue;
      const known = held.get(id) ?? retiring.get(id);
      mine.set(id, known?.epoch === epoch ? known : { epoch, since: now });
    }
    return mine;
  }

  /** Idle partitions go at once, the others one round later: what is under way then is hidden from the next owner. */
  async function giveUp(surplus: ReadonlyMap<number, Lease>, now: Date): Promise<void> {
    const wereRetiring = retiring;
    retiring = new Map(surplus);
    const ids = [...surplus.keys()];
    const overdue = ids.filter((id) => wereRetiring.has(id) && deliveries.busy(id));
    if (overdue.length > 0) await deliveries.hold(overdue);
    const leaving = ids.filter((id) => wereRetiring.has(id) || !deliveries.busy(id));
    for (const id of leaving) retiring.delete(id);
    if (leaving.length > 0) await store.release(workerId, leaving, now);
  }

  interface Sharing {
    readonly workers: readonly string[];
    readonly leases: readonly PartitionDocument[];
    readonly active: readonly PartitionDocument[];
    readonly now: Date;
    readonly expiresAt: Date;
  }

  async function take(count: number, sharing: Sharing): Promise<(readonly [number, Lease])[]> {
    const { now, expiresAt } = sharing;
    if (count <= 0) return [];
    const ids = free(sharing).slice(0, count);
    const epochs = await Promise.all(ids.map((id) => store.take(id, workerId, now, expiresAt)));
    return ids.flatMap((id, index) => {
      const epoch = epochs[index];
      return epoch === undefined ? [] : [[id, { epoch, since: now }] as const];
    });
  }

  /** What may be taken, in such an order that workers who take at once seldom want the same. */
  function free({ workers, leases, active }: Sharing): number[] {
    const taken = new Set(active.map(({ _id }) => _id));
    let ids = allPartitions.filter((id) => !taken.has(id));
    if (lastRoundMs !== undefined && clock.monotonicMs() - lastRoundMs > OUTAGE_MS) {
      // Their owners live, it seems, and may have results to write: they come first.
      const others = new Set(leases.filter(({ owner }) => owner !== workerId).map(({ _id }) => _id));
      ids = ids.filter((id) => !others.has(id));
    }
    const place = Math.max(0, [...workers].sort().indexOf(workerId));
    const preferred = (id: number) => id % Math.max(1, workers.length) === place;
    return [...ids.filter(preferred), ...ids.filter((id) => !preferred(id))];
  }

  async function round(): Promise<void> {
    try {
      await share();
    } catch (error) {
      log.warn({ err: error, leaseValid: leaseValid() }, "partition leases could not be renewed");
    }
  }

  function roundNow(): void {
    running ??= round().finally(() => {
      running = undefined;
    });
  }

  return {
    held: () => (leaseValid() ? [...held.keys()] : []),
    lease: (partition) => (leaseValid() ? held.get(partition) : undefined),
    mayFinish: (partition, epoch) =>
      leaseValid() && (held.get(partition) ?? retiring.get(partition))?.epoch === epoch,
    workers: () => workerCount,
    round,
    start: async () => {
      await round();
      timer = setInterval(roundNow, ROUND_MS);
    },
    leave: () => {
      leaving = true;
      roundNow();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
      const ids = [...held.keys(), ...retiring.keys()];
      change(new Map());
      retiring = new Map();
      await store.release(workerId, ids, clock.now());
      await store.removeWorker(workerId);
    },
  };
}
