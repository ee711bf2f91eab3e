import { withoutUndefined } from "../shared/without-undefined.ts";
import { type SuppressionDocument, type SuppressionReason, suppressionReasons } from "./documents.ts";

/** The store itself says which domain that is. */
export type NewSuppression = Omit<SuppressionDocument, "_id" | "domain">;

/**
 * What adding an address has come to.
 *
 * - `added`: it was not on the list in this scope, or its entry had ended
 * - `strengthened`: the reason is a stronger one now, or the entry ends later
 * - `already_there`: it was on the list for as strong a reason and as long; at most the note is another one
 */
export type AdditionOutcome = "added" | "strengthened" | "already_there";

/**
 * What an entry becomes when the same address is added again. The stronger reason stands, or the newer one of two
 * equals, with what was said of it; the entry keeps its beginning, and lasts as long as the longer of the two:
 * nothing that happens by itself shortens it.
 * @param now when it is added, which may lie behind the beginning of an entry that comes from elsewhere
 */
export function mergeSuppression(
  known: SuppressionDocument,
  added: NewSuppression,
  now: Date = added.createdAt,
): SuppressionDocument {
  const { _id, createdAt } = known;
  // TTL deletion lags: an entry past its end is as good as gone.
  if (!isLive(known, now)) return { _id, ...added };
  const { expireAt: _, ...standing } = standingOf(known, added);
  const expireAt = later(known.expireAt, added.expireAt);
  return { ...standing, _id, createdAt, ...(expireAt && { expireAt }) };
}

/** @param before what was on the list; undefined: nothing that can be read */
export function additionOutcome(
  before: SuppressionDocument | undefined,
  after: SuppressionDocument,
  now: Date,
): AdditionOutcome {
  if (!before || !isLive(before, now)) return "added";
  if (strength(after.reason) > strength(before.reason)) return "strengthened";
  return before.expireAt?.getTime() === after.expireAt?.getTime() ? "already_there" : "strengthened";
}

export function isLive({ expireAt }: Pick<SuppressionDocument, "expireAt">, now: Date): boolean {
  return expireAt === undefined || expireAt > now;
}

function standingOf(known: SuppressionDocument, added: NewSuppression): NewSuppression {
  const gain = strength(added.reason) - strength(known.reason);
  if (gain !== 0) return gain > 0 ? added : known;
  // What says nothing of its own takes away nothing that was said.
  const { detail = known.detail, messageId = known.messageId } = added;
  return { ...added, address: known.address, ...withoutUndefined({ detail, messageId }) };
}

function strength(reason: SuppressionReason): number {
  return suppressionReasons.indexOf(reason);
}

/** undefined stands for never. */
function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? one : other;
}
