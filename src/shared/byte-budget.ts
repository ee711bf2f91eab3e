import type { Clock } from "./clock.ts";
import { createDrainPace, type DrainPace } from "./drain-pace.ts";
import { type Fault, fault } from "./fault.ts";
import { type FaultText, say } from "./fault-text.ts";

/** Key and account that are charged for bytes. */
export interface ByteOwner {
  readonly keyId: string;
  readonly accountId: string;
}

/** Reserved bytes in memory. */
export interface Reservation {
  /**
   * Reserves more bytes. After a release it reserves nothing.
   * @throws Fault service.busy, rate.bytes_in_flight, request.too_large: nothing more is reserved
   */
  grow(bytes: number): void;
  /** Releases all bytes. A second call has no effect. */
  release(): void;
}

export interface ByteBudget {
  /** @throws Fault service.busy, rate.bytes_in_flight; request.too_large: the capacity is never sufficient */
  reserve(owner: ByteOwner, bytes: number): Reservation;
  /** Whether there is capacity for a small submission of a caller without reserved bytes. */
  hasCapacity(): boolean;
  usedBytes(): number;
}

export interface ByteBudgetOptions {
  /** Limit of all submissions together that are not small. */
  readonly maxBytes: number;
  readonly clock?: Pick<Clock, "monotonicMs">;
}

/** A submission up to this size is small: it uses a reserve that large ones cannot use, and never waits behind one. */
export const SMALL_SUBMISSION_BYTES = 64 * 1024;
/** Reserve for small submissions, as a part of the limit of large ones. */
const SMALL_RESERVE_SHARE = 1 / 4;
/** Share of one account, and of one key, in either limit. */
const ACCOUNT_SHARE = 3 / 4;
const KEY_SHARE = 1 / 2;

/**
 * Limits the bytes of submissions that a process has in memory at once. Submissions beyond the limit are refused, not
 * queued. The retry time of the refusal follows from the rate of releases.
 */
export function createByteBudget({ maxBytes, clock }: ByteBudgetOptions): ByteBudget {
  const large = createPool(maxBytes, createDrainPace(clock));
  const smallBytes = Math.max(SMALL_SUBMISSION_BYTES, maxBytes * SMALL_RESERVE_SHARE);
  const small = createPool(smallBytes, createDrainPace(clock));

  return {
    reserve: (owner, bytes) => {
      let held = 0;
      let isReleased = false;
      const poolFor = (size: number) => (size > SMALL_SUBMISSION_BYTES ? large : small);
      const reservation: Reservation = {
        grow: (more) => {
          if (isReleased) return;
          const [from, to] = [poolFor(held), poolFor(held + more)];
          if (from === to) to.take(owner, more, held);
          else {
            to.take(owner, held + more, 0);
            from.give(owner, held);
          }
          held += more;
        },
        release: () => {
          poolFor(held).give(owner, held);
          held = 0;
          isReleased = true;
        },
      };
      reservation.grow(bytes);
      return reservation;
    },
    hasCapacity: () => small.freeBytes() >= SMALL_SUBMISSION_BYTES,
    usedBytes: () => large.usedBytes() + small.usedBytes(),
  };
}

function createPool(maxBytes: number, pace: DrainPace) {
  let used = 0;
  /** By account and by key. Entries without bytes are removed. */
  const shares = new Map<string, number>();

  function add(name: string, bytes: number): void {
    const sum = (shares.get(name) ?? 0) + bytes;
    if (sum > 0) shares.set(name, sum);
    else shares.delete(name);
  }

  function check(limit: string, name: string, bytes: number, own: number, share: number): void {
    const has = shares.get(name) ?? 0;
    // A caller without other bytes gets the capacity for a single submission.
    if (has === own || has + bytes <= maxBytes * share) return;
    throw refusal("rate.bytes_in_flight", say("octets_under_way", { limit, actual: has }), bytes);
  }

  /** @param bytes that must be released before there is capacity, at the latest after the release of this many */
  function refusal(code: "service.busy" | "rate.bytes_in_flight", text: FaultText, bytes: number): Fault {
    return fault(code, {
      public: text,
      retryAfterSeconds: pace.secondsFor(bytes),
    });
  }

  return {
    freeBytes: () => maxBytes - used,
    usedBytes: () => used,
    /** @param own bytes that the same reservation already has of this pool */
    take: ({ keyId, accountId }: ByteOwner, bytes: number, own: number): void => {
      if (own + bytes > maxBytes) {
        throw fault("request.too_large", {
          public: say("submission_more_than_octets_no_memory", { max: Math.floor(maxBytes) }),
        });
      }
      check("key", keyId, bytes, own, KEY_SHARE);
      check("account", accountId, bytes, own, ACCOUNT_SHARE);
      if (used + bytes > maxBytes) throw refusal("service.busy", say("too_much_under_way"), bytes);
      pace.began(bytes);
      used += bytes;
      add(keyId, bytes);
      add(accountId, bytes);
    },
    give: ({ keyId, accountId }: ByteOwner, bytes: number): void => {
      if (bytes === 0) return;
      pace.ended(bytes);
      used -= bytes;
      add(keyId, -bytes);
      add(accountId, -bytes);
    },
  };
}
