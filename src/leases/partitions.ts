import { type Clock, systemTimers, type Timers } from "../shared/clock.ts";
import { type ClockSkew, measureSkew } from "../shared/clock-skew.ts";
import type { Logger } from "../shared/logger.ts";
import type { Claim, WorkerDocument } from "../store/documents.ts";
import type { PartitionLease, PartitionStore } from "../store/partition-store.ts";
import { createDamagedLeases, type DamagedKind } from "./damaged-leases.ts";
import { freePartitions, shareOf } from "./sharing.ts";

/*
 * Leases of partitions, an overview.
 *
 * A partition has one of four states for a worker:
 *   foreign   another worker has it, or none
 *   held      this worker may start attempts for its messages
 *   retiring  the lease is still this worker's, but it gives the partition up: attempts in progress may end, none starts
 *   doubtful  no round has succeeded for a while: another worker may take it soon, and it is treated as foreign
 *
 * take: foreign -> held. A round writes owner and expiry if the former lease has expired by the store's clock, and raises
 *   the epoch. share: held -> retiring if there are more workers, and -> foreign in the same round if no delivery is in
 *   progress. Otherwise -> foreign in the next round, after the deliveries in progress were hidden from the next owner.
 *
 * Trust window. A lease lasts 3.5 s by the store's clock. The worker counts by its monotonic clock from before the round
 *   was sent, and stops trusting the lease 1.2 s early. So it stops before the store lets another worker in, regardless of
 *   wall clocks. After an outage, or a step of the store's clock, workers first take back their former partitions.
 *
 * Epochs. Each change of the owner raises the partition's epoch. Every read, start and write carries the epoch under which
 *   it was read. The store refuses a result under an earlier epoch, and an entry in memory is dropped under any other.
 */

/** A lease that is not renewed expires after this, by the store's clock. */
const LEASE_MS = 3_500;
/** Interval at which leases are renewed and redistributed. */
const ROUND_MS = 1_000;
/** A lease counts as lost this long before it expires, because clocks and writes take time. */
const SAFETY_MS = 1_200;
/** A longer time between rounds means that the store was unavailable for all workers. */
const OUTAGE_MS = LEASE_MS - SAFETY_MS;

/** The right to deliver the messages of a partition. */
export interface Lease {
  /** Increases with every change of the owner. Writes under an earlier epoch are refused. */
  readonly epoch: number;
  /**
   * Time at which this worker took the partition. Before that, another worker may have had its messages. It is the
   * later of the store's time and this worker's own time, so that neither times from other processes nor own times
   * count as later by mistake.
   */
  readonly since: Date;
}

export interface Partitions {
  /** Partitions that this worker may deliver right now. */
  held(): readonly number[];
  /** Lease of a partition; undefined: this worker does not have it right now. */
  lease(partition: number): Lease | undefined;
  /** Whether no other worker can have had the partition since that epoch, so that work started under it may finish. */
  mayFinish(partition: number, epoch: number): boolean;
  /**
   * Current number of partitions of the installation, from the store.
   * @throws Fault store.unavailable
   */
  count(): Promise<number>;
  /** Runs one round: renews, takes and gives up leases. Never rejects. */
  round(): Promise<void>;
  /** Starts the rounds. Resolves after the first one. */
  start(): Promise<void>;
  /** Stops taking partitions. The rounds give up those that other workers can take. */
  leave(): void;
  /** Gives up all partitions, so that other workers can take them immediately. */
  stop(): Promise<void>;
}

/** All live workers, read after this worker announced its claims. */
export interface LiveWorkers {
  readonly self: string;
  readonly workers: readonly Pick<WorkerDocument, "_id" | "claims" | "leaving">[];
  /** Time of the store. */
  readonly at: Date;
}

/** Deliveries in progress, as far as leases depend on them. */
export interface Deliveries {
  /** Whether a message of the partition is being delivered. */
  busy(partition: number): boolean;
  /**
   * Claims of this worker on the limits that all workers share, computed in each round.
   * @param isKept whether its last announcement cannot have expired
   */
  claims(isKept: boolean): readonly Claim[];
  /** Called in each round with all live workers, after the claims were announced. */
  divide(live: LiveWorkers): void;
  /** Hides the deliveries in progress of these partitions from their next owner. */
  hold(partitions: readonly number[]): Promise<void>;
  /** These partitions were given up or lost: waiting work under their former epochs must not start. */
  lost(partitions: readonly number[]): void;
}

export interface PartitionsOptions {
  readonly store: PartitionStore;
  readonly workerId: string;
  /** Number of partitions at the start of the process. It can increase, but never decreases. */
  readonly partitionCount: number;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Called in each round with the difference between the clocks of this process and the store. */
  readonly onSkew?: (skew: ClockSkew) => void;
  /** Called in each round with the claims of this worker. */
  readonly onClaims?: (claims: readonly Claim[]) => void;
  /** Called after each round, successful or not. */
  readonly onRound?: () => void;
  /** Called once for each unreadable document. */
  readonly onDamaged?: (kind: DamagedKind) => void;
}

/**
 * Leases of one worker: an equal share of the partitions, held by documents that expire. A worker that cannot renew its
 * leases stops delivering before another worker may start.
 */
export function createPartitions(options: PartitionsOptions): Partitions {
  const { store, workerId, deliveries, clock, timers = systemTimers, log } = options;
  const { onSkew, onClaims, onRound, onDamaged } = options;
  const damaged = createDamagedLeases({ leaseMs: LEASE_MS, clock, log, onDamaged });
  let held = new Map<number, Lease>();
  /** Still leased, but no longer delivered. They are given up in the second round, even with deliveries in progress. */
  let retiring = new Map<number, Lease>();
  let { partitionCount } = options;
  /** On the monotonic clock, so that changes of wall clocks do not extend a lease. */
  let validUntilMs = 0;
  let lastRoundMs: number | undefined;
  /** Store's clock minus the monotonic clock, as of the last round. */
  let storeAheadMs: number | undefined;
  let stopRounds = () => {};
  let running: Promise<void> | undefined;
  let leaving = false;

  function leaseValid(): boolean {
    return clock.monotonicMs() < validUntilMs;
  }

  async function share(): Promise<void> {
    const startedMs = clock.monotonicMs();
    const now = clock.now();
    const leased = [...held.keys(), ...retiring.keys()];
    const [skew] = await Promise.all([
      announce(),
      leased.length > 0 ? store.renew(workerId, leased, LEASE_MS) : undefined,
    ]);
    const wasAway = isAfterOutage() || storeHasStepped(skew, startedMs);
    const [live, listed, count] = await Promise.all([
      store.liveWorkers(LEASE_MS),
      store.list(LEASE_MS),
      countPartitions(),
    ]);
    damaged.note("worker", live.unreadable);
    damaged.note("partition", listed.unreadable);
    const workers = live.documents.flatMap(({ _id, leaving }) => (leaving === true ? [] : _id));
    const leases = listed.documents;
    partitionCount = count;
    const active = leases.filter((lease) => lease.active);
    const mine = ownLeases(active, now);
    const sharing = { workerId, workers, partitionCount };
    const isOver = leaving && workers.some((id) => id !== workerId);
    const wanted = isOver ? 0 : shareOf(sharing);
    const surplus = new Map([...mine].slice(wanted));
    for (const id of surplus.keys()) mine.delete(id);
    // From here on, no new work starts for partitions above the share.
    change(mine);
    await giveUp(surplus);
    const unavailable = new Set([...active.map(({ _id }) => _id), ...damaged.awaited()]);
    const free = freePartitions(sharing, { leases, unavailable, wasAway });
    const missing = free.slice(0, Math.max(0, wanted - mine.size));
    for (const [id, lease] of await take(missing, now)) mine.set(id, lease);
    validUntilMs = startedMs + LEASE_MS - SAFETY_MS;
    lastRoundMs = startedMs;
    deliveries.divide({ self: workerId, workers: live.documents, at: skew.storeTime });
  }

  /** Another process may have raised the number. An unreadable number does not lower it. */
  async function countPartitions(): Promise<number> {
    const stored = await store.count().catch(() => undefined);
    return Math.max(partitionCount, stored ?? 0);
  }

  /** Also runs while the worker leaves: deliveries in progress count for the limits until they end. */
  async function announce(): Promise<ClockSkew> {
    const announcement = { claims: deliveries.claims(leaseValid()), leaving };
    const skew = await measureSkew(clock, () => store.announceWorker(workerId, LEASE_MS, announcement));
    onSkew?.(skew);
    onClaims?.(announcement.claims);
    return skew;
  }

  function isAfterOutage(): boolean {
    return lastRoundMs !== undefined && clock.monotonicMs() - lastRoundMs > OUTAGE_MS;
  }

  /** Another primary has another clock. The owner still delivers a lease that expired only because of that. */
  function storeHasStepped({ storeTime, uncertaintyMs }: ClockSkew, startedMs: number): boolean {
    const before = storeAheadMs;
    storeAheadMs = storeTime.getTime() - (startedMs + uncertaintyMs);
    if (before === undefined || Math.abs(storeAheadMs - before) <= SAFETY_MS) return false;
    log.warn({ stepMs: Math.round(storeAheadMs - before) }, "the store's clock has stepped");
    return true;
  }

  function change(leases: Map<number, Lease>): void {
    const before = held;
    held = leases;
    deliveries.lost(
      [...before].filter(([id, { epoch }]) => leases.get(id)?.epoch !== epoch).map(([id]) => id),
    );
  }

  function ownLeases(active: readonly PartitionLease[], now: Date): Map<number, Lease> {
    const mine = new Map<number, Lease>();
    // In order, so that the partitions above the share are the same on every store.
    for (const { _id: id, owner, epoch, expiresAt } of active.toSorted((a, b) => a._id - b._id)) {
      if (owner !== workerId) continue;
      const known = held.get(id) ?? retiring.get(id);
      mine.set(id, known?.epoch === epoch ? known : { epoch, since: latest(now, expiresAt) });
    }
    return mine;
  }

  /**
   * Idle partitions are given up immediately, the others one round later, when deliveries in progress are hidden from
   * the next owner.
   */
  async function giveUp(surplus: ReadonlyMap<number, Lease>): Promise<void> {
    const wereRetiring = retiring;
    retiring = new Map(surplus);
    const ids = [...surplus.keys()];
    const overdue = ids.filter((id) => wereRetiring.has(id) && deliveries.busy(id));
    if (overdue.length > 0) await deliveries.hold(overdue);
    const leaving = ids.filter((id) => wereRetiring.has(id) || !deliveries.busy(id));
    for (const id of leaving) retiring.delete(id);
    if (leaving.length > 0) await store.release(workerId, leaving);
  }

  async function take(ids: readonly number[], now: Date): Promise<(readonly [number, Lease])[]> {
    const leases = await Promise.all(ids.map((id) => store.take(id, workerId, LEASE_MS)));
    return ids.flatMap((id, index) => {
      const lease = leases[index];
      return lease ? [[id, { epoch: lease.epoch, since: latest(now, lease.at) }] as const] : [];
    });
  }

  async function round(): Promise<void> {
    try {
      await share();
    } catch (error) {
      log.warn({ err: error, leaseValid: leaseValid() }, "partition leases could not be renewed");
    }
    onRound?.();
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
    count: async () => Math.max(partitionCount, (await store.count()) ?? 0),
    round,
    start: async () => {
      await round();
      stopRounds = timers.every(ROUND_MS, roundNow);
    },
    leave: () => {
      leaving = true;
      roundNow();
    },
    stop: async () => {
      stopRounds();
      await running;
      const ids = [...held.keys(), ...retiring.keys()];
      change(new Map());
      retiring = new Map();
      await store.release(workerId, ids);
      await store.removeWorker(workerId);
    },
  };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
