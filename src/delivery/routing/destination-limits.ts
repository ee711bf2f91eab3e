import { type Clock, systemClock } from "../../shared/clock.ts";
import { createLru } from "../../shared/lru.ts";
import { createOpenConnections, type OpenConnections } from "../../smtp-client/open-connections.ts";
import type { Share } from "./divide.ts";
import { createShares, type DeliveryLimit, type Shares } from "./shares.ts";

/** What an attempt said about how much its destination takes; `unattempted`: it was not asked. */
export type Feedback = "accepted" | "slow_down" | "neutral" | "unattempted";

/**
 * How long a destination takes.
 *
 * - `quick`: its last answer came soon
 * - `new`: it has not been asked yet
 * - `slow`: its last answer took long, or the one that is waited for does, or it is its first
 */
export type Pace = "quick" | "new" | "slow";

/** What a destination is given at most. */
export interface Limit {
  /** Deliveries under way at once. */
  readonly concurrency: number;
  readonly perMinute: number | undefined;
  /** By all workers together: each keeps to its share. Otherwise by this one. */
  readonly shared?: boolean;
}

/** A server, or all servers of a mail provider, and what it bears at the moment. */
export interface Destination {
  readonly key: string;
  /** The limits that it has to bear with: when a delivery to one of them ends, another one may begin. */
  readonly limits: readonly DeliveryLimit[];
  /** Those of this worker to its servers. */
  readonly connections: OpenConnections;
  /** When one more delivery may begin, on the monotonic clock; infinity: once another one ends. */
  startsAtMs(nowMs: number): number;
  pace(nowMs: number): Pace;
  started(nowMs: number): void;
  ended(feedback: Feedback, startedMs: number, nowMs: number): void;
}

/** Deliveries to a new destination at once: more only when these go well (RFC 5321 leaves it to the client). */
const FIRST_CONCURRENCY = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** The least part of the permitted rate that complaints about it lead to. */
const LEAST_RATE = 1 / 16;
/** What accepted messages add to the part of the rate that is used. */
const RATE_STEP = 1 / 64;
/** A destination that nobody has written to for so long starts anew. */
const IDLE_MS = 30 * 60_000;
const MAX_DESTINATIONS = 20_000;
/** An attempt that takes longer is slow, where the settings say nothing else. */
export const SLOW_AFTER_MS = 3_000;

export interface DestinationLimits {
  /** What this worker has of the limits that are shared. */
  readonly shares: Shares;
  /** The destination of this key; its limit may have changed since the last call. */
  at(key: string, limit: Limit): Destination;
}

/** Remembers what destinations bear. */
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

interface Surroundings {
  readonly slowAfterMs: number;
  /** The share of limits that nothing is known of. */
  readonly unclaimed: Share;
  /** The shared limits with deliveries under way. */
  readonly busy: Set<DeliveryLimit>;
}

const EVERYTHING: Share = { concurrency: Number.POSITIVE_INFINITY, part: 1 };

/**
 * Concurrency grows by one for each round of accepted messages and halves when the destination asks to slow down
 * (421, 4.7.x: additive increase, multiplicative decrease); then there is also a pause, which doubles until something
 * is accepted again. The rate, where one is set, is followed by evenly spaced starts and adapts in the same way.
 */
function createAdaptiveDestination(
  key: string,
  first: Limit,
  { slowAfterMs, unclaimed, busy }: Surroundings,
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
  /** Attempts begun before the last slowing down say nothing new. */
  let slowedAtMs = Number.NEGATIVE_INFINITY;
  /** When the attempts under way began, the earliest first, and how many began then. */
  const begun = new Map<number, number>();
  let lastTookMs: number | undefined;

  function accepted(): void {
    pauseMs = 0;
    rate = Math.min(1, rate + RATE_STEP);
    if (++acceptedInARow < concurrency) return;
    acceptedInARow = 0;
    // What the share leaves unused is not known to be borne.
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
    room: (nowMs) => (startsAtMs(nowMs) > nowMs ? 0 : permitted() - underWay),
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

/** A destination that has to bear with all of these limits, the first of which is that of its servers. */
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
