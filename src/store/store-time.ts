/**
 * An expression for the current time. In the store it is the store's own clock, the one clock that all processes of
 * an installation share. Tests replace it with a date.
 */
export type StoreNow = () => "$$NOW" | Date;

export const storeNow: StoreNow = () => "$$NOW";

/**
 * Tolerance for a lease that ends too late, because the store's clock was set back slightly or a new primary's clock
 * differs.
 */
const TOLERANCE_MS = 1_000;

/** An expression for a time plus a duration. */
export function later(now: ReturnType<StoreNow>, ms: number) {
  return { $add: [now, ms] };
}

/**
 * An expression that is true if the owner may take a lease: its holder, in the field at this path, always; others if
 * the lease is no longer honored.
 */
export function mayTake(
  path: `$${string}`,
  holder: { readonly $literal: string },
  now: ReturnType<StoreNow>,
  leaseMs: number,
) {
  return { $or: [{ $eq: [path, holder] }, { $not: [isHonoured("$expiresAt", now, leaseMs)] }] };
}

/**
 * An expression: whether a lease of this length that ends at the time in `path` (such as "$expiresAt") is honored. A
 * lease that ends later than its full length was not dated by this clock, and is invalid.
 */
export function isHonoured(path: `$${string}`, now: ReturnType<StoreNow>, leaseMs: number) {
  return { $and: [{ $gt: [path, now] }, { $lte: [path, later(now, leaseMs + TOLERANCE_MS)] }] };
}
