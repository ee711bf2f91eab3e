import { withoutUndefined } from "../shared/without-undefined.ts";
import { type SuppressionDocument, type SuppressionReason, suppressionReasons } from "./documents.ts";

/** A suppression without the domain, which the store derives. */
export type NewSuppression = Omit<SuppressionDocument, "_id" | "domain">;

/**
 * Outcome of an addition.
 *
 * - `added`: the address was not on the list in this scope, or its entry had expired
 * - `strengthened`: the reason is stronger now, or the entry expires later
 * - `already_there`: the entry had an equally strong reason and expiry; at most the note has changed
 */
export type AdditionOutcome = "added" | "strengthened" | "already_there";

/**
 * Merges an addition into an existing entry. The stronger reason wins, or the newer one of two equal reasons, with
 * its details. The entry keeps its creation time and the later expiry: automatic additions never shorten it.
 * @param now time of the addition, which may be before the creation of an imported entry
 */
export function mergeSuppression(
  known: SuppressionDocument,
  added: NewSuppression,
  now: Date = added.createdAt,
): SuppressionDocument {
  const { _id, createdAt } = known;
  // TTL deletion lags: an expired entry counts as deleted.
  if (!isLive(known, now)) return { _id, ...added };
  const { expireAt: _, ...standing } = standingOf(known, added);
  const expireAt = later(known.expireAt, added.expireAt);
  return { ...standing, _id, createdAt, ...(expireAt && { expireAt }) };
}

/** @param before the existing entry; undefined: none that is readable */
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
  // An addition without details keeps the existing ones.
  const { detail = known.detail, messageId = known.messageId } = added;
  return { ...added, address: known.address, ...withoutUndefined({ detail, messageId }) };
}

function strength(reason: SuppressionReason): number {
  return suppressionReasons.indexOf(reason);
}

/** undefined means never. */
function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? one : other;
}
