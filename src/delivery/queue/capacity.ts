import type { MessageDocument } from "../../store/message-documents.ts";
import type { Pace } from "../routing/destination-limits.ts";
import type { Started } from "./entry.ts";

/**
 * Decides how many attempts may be in progress, and how they are shared. Attempts to destinations that are not known to be
 * quick may hold their slots for minutes, so they leave some free:
 *
 * - slow destinations together, and those of one account, hold at most as much as they leave free
 * - an account begins with at most as many new destinations as it leaves free, and holds at most twice that in total
 * - a submission holds at most half of what it leaves free
 *
 * A single one gets the larger part; the more there are, the less each gets, and some capacity always remains for the next.
 */
export interface Capacity {
  /** True if one more attempt of this class may be in progress. */
  hasSlot(): boolean;
  /** True if an attempt of this message, to a destination of this speed class, leaves enough for others. */
  allows(message: Charged, pace: Pace): boolean;
  begin(started: Started, pace: Pace): void;
  end(started: Started): void;
  /** Attempts that take too long count as slow from now on, regardless of their former class. */
  age(nowMs: number): void;
}

type Charged = Pick<MessageDocument, "accountId" | "traceId" | "sizeBytes">;

export interface CapacityOptions {
  /** Concurrent attempts. */
  readonly slots: number;
  /** Total size of their messages; a larger message is sent alone. */
  readonly bytes: number;
  /** An attempt that takes longer is slow. */
  readonly slowAfterMs: number;
}

interface Usage {
  slots: number;
  bytes: number;
}

export function createCapacity({ slots, bytes, slowAfterMs }: CapacityOptions): Capacity {
  const used: Usage = { slots: 0, bytes: 0 };
  const slow: Usage = { slots: 0, bytes: 0 };
  const ofAccount = new Map<string, Usage>();
  const ofSubmission = new Map<string, Usage>();
  /** The part of `ofAccount` that has not become slow. */
  const newOfAccount = new Map<string, Usage>();
  /** Counted attempts and their class. */
  const charged = new Map<Started, "new" | "slow">();
  /** Recently begun attempts, earliest first. */
  const young = new Set<Started>();

  function charge(started: Started, as: "new" | "slow" | undefined): void {
    const { message } = started;
    const before = charged.get(started);
    if (as === before) return;
    if (before === "new") count(newOfAccount, message.accountId, message, -1);
    if (before === "slow") add(slow, message, -1);
    if (as === "new") count(newOfAccount, message.accountId, message, 1);
    if (as === "slow") add(slow, message, 1);
    const change = (as ? 1 : 0) - (before ? 1 : 0);
    count(ofAccount, message.accountId, message, change);
    count(ofSubmission, message.traceId, message, change);
    if (as) charged.set(started, as);
    else charged.delete(started);
  }

  return {
    hasSlot: () => used.slots < slots && used.bytes < bytes,
    allows: ({ accountId, traceId }, pace) => {
      if (pace === "quick") return true;
      const free = { slots: slots - used.slots, bytes: bytes - used.bytes };
      const account = ofAccount.get(accountId);
      if (pace === "slow" && !(isWithin(slow, 1, free) && isWithin(account, 1, free))) return false;
      if (pace === "new" && !isWithin(newOfAccount.get(accountId), 1, free)) return false;
      return isWithin(account, 2, free) && isWithin(ofSubmission.get(traceId), 1 / 2, free);
    },
    begin: (started, pace) => {
      add(used, started.message, 1);
      if (pace !== "quick") charge(started, pace);
      if (pace !== "slow") young.add(started);
    },
    end: (started) => {
      add(used, started.message, -1);
      young.delete(started);
      charge(started, undefined);
    },
    age: (nowMs) => {
      for (const started of young) {
        if (nowMs - started.startedMs < slowAfterMs) return;
        young.delete(started);
        charge(started, "slow");
      }
    },
  };
}

/** True if less than this multiple of the free capacity is held. */
function isWithin(held: Usage | undefined, times: number, free: Usage): boolean {
  return !held || (held.slots < free.slots * times && held.bytes < free.bytes * times);
}

function add(usage: Usage, { sizeBytes }: Charged, change: number): void {
  usage.slots += change;
  usage.bytes += change * sizeBytes;
}

function count(usages: Map<string, Usage>, key: string, message: Charged, change: number): void {
  if (change === 0) return;
  const usage = usages.get(key) ?? { slots: 0, bytes: 0 };
  add(usage, message, change);
  if (usage.slots === 0) usages.delete(key);
  else usages.set(key, usage);
}
