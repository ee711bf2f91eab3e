import { type Clock, systemClock } from "../../shared/clock.ts";
import { createLru } from "../../shared/lru.ts";
import { createOpenConnections, type OpenConnections } from "../../smtp-client/open-connections.ts";
import type { Share } from "./divide.ts";
import { createShares, type DeliveryLimit, type Shares } from "./shares.ts";

/** Feedback of an attempt about the capacity of its destination; `unattempted`: no server was contacted. */
export type Feedback = "accepted" | "slow_down" | "neutral" | "unattempted";

/**
 * Speed of a destination.
 *
 * - `quick`: its last answer was quick
 * - `new`: it has not been contacted yet
 * - `slow`: its last answer took long, or the present one does, or its first answer is awaited
 */
export type Pace = "quick" | "new" | "slow";

/** Maximum for a destination. */
export interface Limit {
  /** Concurrent deliveries. */
  readonly concurrency: number;
  readonly perMinute: number | undefined;
  /** True for a limit of all workers together, of which each uses its share; otherwise a limit of this worker. */
  readonly shared?: boolean;
}

/** A server, or all servers of a mail provider, and its present capacity. */
export interface Destination {
  readonly key: string;
  /** The limits that apply to it: when a delivery under one of them ends, another one may begin. */
  readonly limits: readonly DeliveryLimit[];
  /** Connections of this worker to its servers. */
  readonly connections: OpenConnections;
  /** Monotonic time at which one more delivery may begin; infinity: after another one ends. */
  startsAtMs(nowMs: number): number;
  pace(nowMs: number): Pace;
  started(nowMs: number): void;
  ended(feedback: Feedback, startedMs: number, nowMs: number): void;
}

/** Concurrent deliveries to a new destination: more only when these succeed (RFC 5321 leaves it to the client). */
const FIRST_CONCURRENCY = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Minimum fraction of the permitted rate after slow-down requests. */
const LEAST_RATE = 1 / 16;
/** Increase of the used fraction of the rate per accepted message. */
const RATE_STEP = 1 / 64;
/** A destination without mail for this long starts again as new. */
const IDLE_MS = 30 * 60_000;
const MAX_DESTINATIONS = 20_000;
/** Default time after which an attempt is slow. */
export const SLOW_AFTER_MS = 3_000;

export interface DestinationLimits {
  /** Shares of this worker of the shared limits. */
  readonly shares: Shares;
  /** The destination of this key; its limit may have changed since the last call. */
  at(key: string, limit: Limit): Destination;
}

/** Remembers the capacity of destinations. */
export function createDestinationLimits(
  slowAfterMs = SLOW_AFTER_MS,
  clock: Clock = systemClock,
): DestinationLimits {
  const busy = new Set<DeliveryLimit>();
  const unclaimed = { ...EVERYTHING };
  const known = createLru<AdaptiveDestination>(MAX_DESTINATIONS, {
    ttl: IDLE_MS,
    updateAgeOnGet: true,
  });
  return {
    shares: createShares({ busy: () => busy, unclaimed, clock }),
    at: (key, limit) => {
      const destination =
        known.get(key) ?? createAdaptiveDestination(key, limit, { slowAfterMs, unclaimed, busy });
      destination.change(limit);
      known.set(key, destination);
      return destination;
    },
  };
}

interface AdaptiveDestination extends Destination {
  change(limit: Limit): void;
}

interface AttemptContext {
  readonly slowAfterMs: number;
  /** Share of limits without a known share. */
  readonly unclaimed: Share;
  /** Shared limits with deliveries in progress. */
  readonly busy: Set<DeliveryLimit>;
}

const EVERYTHING: Share = { concurrency: Number.POSITIVE_INFINITY, part: 1 };

/**
 * Concurrency grows by one per round of accepted messages, and halves when the destination asks to slow down (421, 4.7.x:
 * additive increase, multiplicative decrease). Then there is also a pause, which doubles until a message is accepted. A rate,
 * if set, is kept by evenly spaced starts and adapts in the same way.
 */
function createAdaptiveDestination(
  key: string,
  first: Limit,
  { slowAfterMs, unclaimed, busy }: AttemptContext,
): AdaptiveDestination {
  let limit = first;
  let share = first.shared ? unclaimed : EVERYTHING;
  let concurrency = Math.min(FIRST_CONCURRENCY, first.concurrency);
  let rate = 1;
  let underWay = 0;
  let acceptedInARow = 0;
  let pauseMs = 0;
  let pausedUntilMs = 0;
  let lastStartMs = Number.MIN_SAFE_INTEGER;
  /** Attempts that began before the last slow-down give no new information. */
  let slowedAtMs = Number.NEGATIVE_INFINITY;
  /** Start times of the attempts in progress, earliest first, with their number. */
  const begun = new Map<number, number>();
  let lastTookMs: number | undefined;

  function accepted(): void {
    pauseMs = 0;
    rate = Math.min(1, rate + RATE_STEP);
    if (++acceptedInARow < concurrency) return;
    acceptedInARow = 0;
    // An unused share does not prove capacity.
    if (concurrency <= share.concurrency) concurrency = Math.min(limit.concurrency, concurrency + 1);
  }

  function slowDown(nowMs: number): void {
    slowedAtMs = nowMs;
    acceptedInARow = 0;
    concurrency = Math.max(1, Math.floor(concurrency / 2));
    rate = Math.max(LEAST_RATE, rate / 2);
    pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
    pausedUntilMs = nowMs + pauseMs;
  }

  function forget(startedMs: number): void {
    const left = (begun.get(startedMs) ?? 0) - 1;
    if (left > 0) begun.set(startedMs, left);
    else begun.delete(startedMs);
  }

  function permitted(): number {
    return Math.min(concurrency, share.concurrency);
  }

  function startsAtMs(nowMs: number): number {
    if (underWay >= permitted()) return Number.POSITIVE_INFINITY;
    return Math.max(nowMs, pausedUntilMs, lastStartMs + intervalMs());
  }

  function intervalMs(): number {
    return limit.perMinute === undefined ? 0 : 60_000 / (limit.perMinute * share.part * rate);
  }

  const own: DeliveryLimit = {
    key,
    isShared: first.shared === true,
    whole: () => limit.concurrency,
    inUse: () => underWay,
    capacity: (nowMs) => (startsAtMs(nowMs) > nowMs ? 0 : permitted() - underWay),
    bearable: (nowMs) => (pausedUntilMs > nowMs ? 0 : 2 * concurrency),
    permit: (given) => {
      const before = share;
      share = given;
      connections.trim();
      return given.concurrency > before.concurrency || given.part > before.part;
    },
  };

  const connections = createOpenConnections(() => ({
    concurrency: Math.min(limit.concurrency, share.concurrency),
    isLent: share.isLent,
  }));

  return {
    key,
    limits: [own],
    connections,
    pace: (nowMs) => {
      const [oldestMs] = begun.keys();
      if (oldestMs !== undefined && nowMs - oldestMs >= slowAfterMs) return "slow";
      if (lastTookMs === undefined) return oldestMs === undefined ? "new" : "slow";
      return lastTookMs < slowAfterMs ? "quick" : "slow";
    },
    change: (changed) => {
      limit = changed;
      concurrency = Math.max(1, Math.min(concurrency, changed.concurrency));
    },
    startsAtMs,
    started: (nowMs) => {
      if (underWay++ === 0 && own.isShared) busy.add(own);
      begun.set(nowMs, (begun.get(nowMs) ?? 0) + 1);
      lastStartMs = nowMs;
    },
    ended: (feedback, startedMs, nowMs) => {
      if (--underWay === 0) busy.delete(own);
      forget(startedMs);
      if (feedback !== "unattempted") lastTookMs = nowMs - startedMs;
      if (feedback === "accepted") accepted();
      else if (feedback === "slow_down" && startedMs > slowedAtMs) slowDown(nowMs);
    },
  };
}

/** A destination under all of these limits, of which the first is the one of its servers. */
export function allOf(key: string, limits: readonly [Destination, ...Destination[]]): Destination {
  return {
    key,
    connections: limits[0].connections,
    limits: limits.flatMap((one) => one.limits),
    pace: (nowMs) => {
      const paces = limits.map((limit) => limit.pace(nowMs));
      return paces.find((pace) => pace === "slow") ?? paces.find((pace) => pace === "quick") ?? "new";
    },
    startsAtMs: (nowMs) => Math.max(nowMs, ...limits.map((limit) => limit.startsAtMs(nowMs))),
    started: (nowMs) => {
      for (const limit of limits) limit.started(nowMs);
    },
    ended: (feedback, startedMs, nowMs) => {
      for (const limit of limits) limit.ended(feedback, startedMs, nowMs);
    },
  };
}
