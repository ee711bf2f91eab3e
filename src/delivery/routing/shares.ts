import { createHash } from "node:crypto";
import type { LiveWorkers } from "../../leases/partitions.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Claim } from "../../store/documents.ts";
import { divide, type Share } from "./divide.ts";

/** A limit and its use by this worker. */
export interface DeliveryLimit {
  readonly key: string;
  /** True for a limit of all workers together; false for a limit of this worker only. */
  readonly isShared: boolean;
  /** The whole limit, for all workers. */
  whole(): number;
  /** Its use by this worker, which may exceed the share because that was larger before. */
  inUse(): number;
  /** Number of deliveries that may begin now under this limit. */
  capacity(nowMs: number): number;
  /** Maximum concurrency until the destination is known better, regardless of the share. */
  bearable(nowMs: number): number;
  /** @returns true if it permits more than before */
  permit(share: Share): boolean;
}

/** Waiting messages of a destination. */
export interface WaitingMessages {
  readonly limits: readonly DeliveryLimit[];
  readonly count: number;
}

/**
 * Divides limits between the workers that have messages for them now.
 *
 * In each round a worker announces its claim, then reads the claims of the others, and then uses the rest of the whole, up to
 * its claim and its share by need. If two workers announce at the same time, the later reader sees both claims; so the
 * total use, except one delivery each, never exceeds the whole while shares move. One delivery is free for each worker, so that
 * no message waits for a round. Only if there are permanently more workers than deliveries, they take turns.
 */
export interface Shares {
  /**
   * Announcement: the most wanted limits.
   * @param isKept true if the last announcement cannot have expired: otherwise the others may use the former share of this
   *   worker
   */
  claims(waiting: Iterable<WaitingMessages>, isKept: boolean): readonly Claim[];
  /** @returns true if a limit permits more than before */
  divide(live: LiveWorkers): (key: string) => boolean;
}

/** Claims of the others on one limit. */
interface OtherClaim extends Omit<Claim, "limit"> {
  readonly id: string;
}

/** Announcements of the others. */
interface Heard {
  readonly byLimit: ReadonlyMap<string, readonly OtherClaim[]>;
  /** Workers without announcements, for example of earlier releases. */
  readonly silent: readonly string[];
}

interface Known {
  /** In announcements. */
  readonly name: string;
  wants: number;
  /** The announced claim; undefined: none. */
  holds: number | undefined;
  /** The present permission. */
  share: Share;
}

/** Limits in one announcement. */
const MAX_CLAIMS = 100;
const PERIOD_MS = 10_000;
/** Weight of each round in the smoothed need of a worker, while that is less than one concurrent delivery. */
const SAMPLE_WEIGHT = 1 / 4;
/** A worker that wants less claims nothing: after about fifteen rounds without a message. Until then a burst finds a share. */
const LEAST_WANTED = 1 / 100;
const MAX_NAME_LENGTH = 200;
/** Maximum of entries read from another worker's announcement. */
const MAX_READ = 1_000;

export interface SharesOptions {
  /** Shared limits with deliveries in progress. */
  readonly busy: () => Iterable<DeliveryLimit>;
  /** Share of limits that are not announced; changed in place. */
  readonly unclaimed: { -readonly [K in keyof Share]: Share[K] };
  readonly clock: Clock;
}

export function createShares({ busy, unclaimed, clock }: SharesOptions): Shares {
  const known = new Map<DeliveryLimit, Known>();
  let heard: Heard = { byLimit: new Map(), silent: [] };
  let workerCount = 1;
  let self = "";
  let turn = 0;
  let alone = true;

  function need(waiting: Iterable<WaitingMessages>, nowMs: number): Map<DeliveryLimit, number> {
    const needs = new Map<DeliveryLimit, number>();
    for (const limit of busy()) needs.set(limit, limit.inUse());
    for (const { limits, count } of waiting) {
      for (const limit of limits) {
        if (!limit.isShared) continue;
        // Messages that another limit blocks do not count as need of this one.
        const capacities = limits.map((other) => (other === limit ? count : other.capacity(nowMs)));
        needs.set(limit, (needs.get(limit) ?? limit.inUse()) + Math.max(0, Math.min(count, ...capacities)));
      }
    }
    return needs;
  }

  function note(limit: DeliveryLimit, needed: number, nowMs: number): void {
    const state = known.get(limit) ?? { name: nameOf(limit), wants: 0, holds: undefined, share: unclaimed };
    known.set(limit, state);
    const wants = Math.min(needed, Math.max(limit.inUse(), Math.min(limit.whole(), limit.bearable(nowMs))));
    const before = Math.min(1, state.wants);
    state.wants = wants > 1 ? wants : before + (wants - before) * SAMPLE_WEIGHT;
  }

  function othersOf(limit: DeliveryLimit, { name }: Known): readonly OtherClaim[] {
    // A worker without announcements has an equal share of everything.
    const equal = Math.floor(limit.whole() / workerCount);
    const silent = heard.silent.map((id) => ({ id, wants: equal, holds: equal }));
    return [...(heard.byLimit.get(name) ?? []), ...silent];
  }

  function sharesOf(limit: DeliveryLimit, { wants }: Known, others: readonly OtherClaim[]) {
    return divide(limit.whole(), [...others, { id: self, wants }], turn);
  }

  /** A claim of less than one delivery counts as a fraction: many of them may add up. */
  function heldOf(limit: DeliveryLimit, state: Known): number {
    const { concurrency, isLent } = sharesOf(limit, state, othersOf(limit, state)).get(self) ?? unclaimed;
    const held = Math.max(concurrency, limit.inUse());
    return isLent && held === 1 ? Math.min(held, state.wants) : held;
  }

  function permit(limit: DeliveryLimit, state: Known, share: Share): boolean {
    state.share = share;
    return limit.permit(share);
  }

  /** @param hasAll true if no other worker shares it */
  function permittedShare(limit: DeliveryLimit, state: Known, hasAll: boolean): Share {
    if (hasAll || state.holds === undefined) return unclaimed;
    const claimed = othersOf(limit, state);
    const fair = sharesOf(limit, state, claimed).get(self) ?? unclaimed;
    if (fair.concurrency === 0) return fair;
    const left = claimed.reduce((rest, { holds }) => rest - holds, limit.whole());
    const before = state.share === unclaimed ? 1 : state.share.concurrency;
    // A worker with no more than before takes nothing from others.
    const most = Math.floor(Math.min(fair.concurrency, state.holds, Math.max(before, left)));
    return { ...fair, concurrency: Math.max(1, most), isLent: most < 1 };
  }

  function giveAllUp(): void {
    alone = false;
    unclaimed.concurrency = 1;
    for (const [limit, state] of known) permit(limit, state, unclaimed);
  }

  function keepTo(limit: DeliveryLimit, state: Known): void {
    const { holds, share } = state;
    if (share === unclaimed) return;
    if (holds === undefined) permit(limit, state, unclaimed);
    else if (holds < share.concurrency && share.concurrency > 1) {
      permit(limit, state, { ...share, concurrency: Math.max(1, Math.floor(holds)) });
    }
  }

  return {
    claims: (waiting, isKept) => {
      if (!isKept && self !== "") giveAllUp();
      const nowMs = clock.monotonicMs();
      const needs = need(waiting, nowMs);
      for (const limit of known.keys()) if (!needs.has(limit)) needs.set(limit, 0);
      for (const [limit, needed] of needs) note(limit, needed, nowMs);
      for (const [limit, state] of known) {
        state.holds = undefined;
        if (state.wants >= LEAST_WANTED) continue;
        known.delete(limit);
        limit.permit(unclaimed);
      }
      const largest = [...known].sort(([, a], [, b]) => b.wants - a.wants).slice(0, MAX_CLAIMS);
      for (const [limit, state] of largest) state.holds = heldOf(limit, state);
      // The others may use an unclaimed rest as soon as they read it.
      for (const [limit, state] of known) keepTo(limit, state);
      return largest.map(([, { name, wants, holds = 0 }]) => ({ limit: name, wants, holds }));
    },

    divide: (live) => {
      self = live.self;
      turn = Math.floor(live.at.getTime() / PERIOD_MS);
      const others = live.workers.filter(({ _id }) => _id !== self);
      const wasAlone = alone;
      alone = others.length === 0;
      // After an outage of the store the others may return at this very moment.
      const hasAll = alone && wasAlone;
      workerCount = others.filter(({ leaving }) => leaving !== true).length + 1;
      const permitted = unclaimed.concurrency;
      unclaimed.concurrency = hasAll ? Number.POSITIVE_INFINITY : 1;
      unclaimed.part = hasAll ? 1 : 1 / workerCount;
      unclaimed.isLent = !hasAll;
      heard = readClaims(others);
      const more = new Set<string>();
      for (const [limit, state] of known) {
        if (permit(limit, state, permittedShare(limit, state, hasAll))) more.add(limit.key);
      }
      return (key) => unclaimed.concurrency > permitted || more.has(key);
    },
  };
}

function nameOf({ key }: DeliveryLimit): string {
  return key.length <= MAX_NAME_LENGTH ? key : createHash("sha256").update(key).digest("base64url");
}

/** Invalid claims are ignored, because a document may contain anything. */
function readClaims(workers: LiveWorkers["workers"]): Heard {
  const byLimit = new Map<string, OtherClaim[]>();
  const silent: string[] = [];
  for (const { _id: id, claims } of workers) {
    if (!Array.isArray(claims)) {
      silent.push(id);
      continue;
    }
    for (const claim of (claims as unknown[]).slice(0, MAX_READ)) {
      if (!isClaim(claim)) continue;
      const { limit, wants, holds } = claim;
      const known = byLimit.get(limit);
      if (known) known.push({ id, wants, holds });
      else byLimit.set(limit, [{ id, wants, holds }]);
    }
  }
  return { byLimit, silent };
}

function isClaim(value: unknown): value is Claim {
  if (typeof value !== "object" || value === null) return false;
  const { limit, wants, holds } = value as Record<string, unknown>;
  return typeof limit === "string" && isAmount(wants) && isAmount(holds);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
