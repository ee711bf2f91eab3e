/**
 * An expression for the present moment. In the store it is the store's own clock: the one clock that all processes of an
 * installation share. Tests put a date in its place, as if it were the store's time.
 */
export type StoreNow = () => "$$NOW" | Date;

export const storeNow: StoreNow = () => "$$NOW";

/** What an end of a lease may lie too far ahead after the store's clock was set back a little: another primary's is. */
const TOLERANCE_MS = 1_000;

/** The moment so long after another one, as an expression. */
export function later(now: ReturnType<StoreNow>, ms: number) {
  return { $add: [now, ms] };
}

/**
 * True for who may take a lease, as an expression: its holder, in the field of this path, and anybody once it is not to be
 * honoured any more.
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
 * Whether a lease of so many ms that ends at the moment in `path` (as "$expiresAt") is to be honoured, as an expression.
 * One that ends further ahead than a lease is long was not dated by this clock, and counts as none.
 */
export function isHonoured(path: `$${string}`, now: ReturnType<StoreNow>, leaseMs: number) {
  return { $and: [{ $gt: [path, now] }, { $lte: [path, later(now, leaseMs + TOLERANCE_MS)] }] };
}
