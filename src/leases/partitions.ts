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
 * A partition is in one of four states for a worker:
 *   foreign   another worker has it, or nobody
 *   held      this worker may begin attempts for its messages
 *   retiring  the lease is still this worker's, but it gives the partition on: attempts under way may end, none begins
 *   doubtful  no round has succeeded for a while: it may be another's soon, and is treated as foreign
 *
 * take: foreign -> held. A round writes owner and expiry where the store says that the former lease has run out, and
 *   raises the epoch. share: held -> retiring, when there are more workers, and -> foreign in the same round if nothing is
 *   under way, else in the next one, when what is under way has been hidden from the next owner.
 *
 * Trust window. A lease is 3.5 s long by the store's clock. The worker counts by its monotonic clock from before the round
 *   was sent, and stops trusting 1.2 s early; so it has stopped before the store lets anybody else in, whatever wall clocks
 *   say. After an outage, or a step of the store's clock, workers first take back what was theirs.
 *
 * Epochs. Each change of the owner raises the partition's epoch. What is read, begun or written carries the epoch under
 *   which it was read; the store refuses a result under an earlier one, and an entry in memory is dropped under any other.
 */

/** A lease that is not renewed runs out after this, by the store's clock. */
const LEASE_MS = 3_500;
/** How often leases are renewed and shared out anew. */
const ROUND_MS = 1_000;
/** A lease counts as lost this long before it runs out: clocks and writes take time. */
const SAFETY_MS = 1_200;
/** Rounds further apart than this: the store was away, for everybody. */
const OUTAGE_MS = LEASE_MS - SAFETY_MS;

/** The right to deliver a partition's messages. */
export interface Lease {
  /** Grows with every change of the owner: writes under an earlier one are refused. */
  readonly epoch: number;
  /**
   * When this worker took the partition; before that, somebody else may have had its messages. The later of the store's
   * time and this worker's own: neither what other processes have dated nor what this one has counts as later by mistake.
   */
  readonly since: Date;
}

export interface Partitions {
  /** The partitions that this worker may deliver right now. */
  held(): readonly number[];
  /** The lease of a partition; undefined: it is not this worker's right now. */
  lease(partition: number): Lease | undefined;
  /** Whether nobody else can have the partition since that epoch: what was begun under it may be finished. */
  mayFinish(partition: number, epoch: number): boolean;
  /**
   * Number of partitions of the installation, as the store has it now.
   * @throws Fault store.unavailable
   */
  count(): Promise<number>;
  /** One round of renewing, taking and giving up; never rejects. */
  round(): Promise<void>;
  /** Starts the rounds; the first one is done when it resolves. */
  start(): Promise<void>;
  /** Wants nothing any more: the rounds give up what others are there to take. */
  leave(): void;
  /** Gives everything up, for the other workers to take at once. */
  stop(): Promise<void>;
}

/** Everybody who lives, as read after this worker has announced its claims. */
export interface LiveWorkers {
  readonly self: string;
  readonly workers: readonly Pick<WorkerDocument, "_id" | "claims" | "leaving">[];
  /** The store's time. */
  readonly at: Date;
}

/** What the leases need to know of the deliveries under way. */
export interface Deliveries {
  /** Whether a message of the partition is being delivered. */
  busy(partition: number): boolean;
  /**
   * What this worker claims of the limits that all workers share, in each round anew.
   * @param isKept whether what it announced last cannot have run out
   */
  claims(isKept: boolean): readonly Claim[];
  /** Told in each round of everybody who lives, after the claims were announced. */
  divide(live: LiveWorkers): void;
  /** Hides what is being delivered of these partitions from their next owner. */
  hold(partitions: readonly number[]): Promise<void>;
  /** These partitions were given on or lost: what waits of them under their former epochs must not be begun. */
  lost(partitions: readonly number[]): void;
}

export interface PartitionsOptions {
  readonly store: PartitionStore;
  readonly workerId: string;
  /** How many partitions there were when the process began: more may come, fewer never do. */
  readonly partitionCount: number;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Told in each round how this process's clock compares with the store's. */
  readonly onSkew?: (skew: ClockSkew) => void;
  /** Told in each round what this worker has claimed. */
  readonly onClaims?: (claims: readonly Claim[]) => void;
  /** Told when a round is over, whether it succeeded or not. */
  readonly onRound?: () => void;
  /** Told of each document that cannot be read, once. */
  readonly onDamaged?: (kind: DamagedKind) => void;
}

/**
 * The leases of one worker: an equal share of the partitions, held against the others by documents that run out.
 * A worker that cannot renew stops delivering before another one may begin.
 */
export function createPartitions(options: PartitionsOptions): Partitions {
  const { store, workerId, deliveries, clock, timers = systemTimers, log } = options;
  const { onSkew, onClaims, onRound, onDamaged } = options;
  const damaged = createDamagedLeases({ leaseMs: LEASE_MS, clock, log, onDamaged });
  let held = new Map<number, Lease>();
  /** Still leased, no longer delivered; in the second round they go, whatever is under way. */
  let retiring = new Map<number, Lease>();
  let { partitionCount } = options;
  /** On the monotonic clock: what wall clocks do must not prolong a lease. */
  let validUntilMs = 0;
  let lastRoundMs: number | undefined;
  /** The store's clock less the monotonic one, as of the last round. */
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
    // From here on nothing new is started for what is over the share.
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

  /** Another process may have raised the number. What cannot be read does not lower it. */
  async function countPartitions(): Promise<number> {
    const stored = await store.count().catch(() => undefined);
    return Math.max(partitionCount, stored ?? 0);
  }

  /** Also when it leaves: what is still under way counts for the limits until it has ended. */
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

  /** Another primary has another clock: what has run out by it alone is still delivered by its owner. */
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
    // In order, so that what is over the share is the same on every store.
    for (const { _id: id, owner, epoch, expiresAt } of active.toSorted((a, b) => a._id - b._id)) {
      if (owner !== workerId) continue;
      const known = held.get(id) ?? retiring.get(id);
      mine.set(id, known?.epoch === epoch ? known : { epoch, since: latest(now, expiresAt) });
    }
    return mine;
  }

  /** Idle partitions go at once, the others one round later: what is under way then is hidden from the next owner. */
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
