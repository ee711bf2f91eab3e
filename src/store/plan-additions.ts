import { isDeepStrictEqual } from "node:util";
import { domainOf } from "../message/address/addresses.ts";
import type { SuppressionDocument } from "./documents.ts";
import {
  type AdditionOutcome,
  additionOutcome,
  mergeSuppression,
  type NewSuppression,
} from "./merge-suppression.ts";
import type { Found } from "./read-each.ts";

/** Actual or simulated outcome of one addition. */
export interface Addition {
  readonly outcome: AdditionOutcome;
  /** The resulting entry. */
  readonly after: SuppressionDocument;
}

/** One entry to write. */
export interface PlannedWrite {
  /** Undefined: there was no readable entry. */
  readonly before: SuppressionDocument | undefined;
  readonly after: SuppressionDocument;
}

export interface AdditionPlan {
  /** One outcome for each addition, in order. A duplicate meets the result of the first one. */
  readonly additions: readonly Addition[];
  readonly writes: readonly PlannedWrite[];
}

/**
 * Plans additions, without writing.
 * @param known the stored entries with their ids
 */
export function planAdditions(
  { documents, unreadable }: Found<SuppressionDocument>,
  added: readonly (NewSuppression & { readonly _id: string })[],
  now: Date,
): AdditionPlan {
  const stored = new Map(documents.map((document) => [document._id, document]));
  const damaged = new Set(unreadable.map(({ id }) => id));
  const current = new Map(stored);
  const additions = added.map((entry) => {
    const { _id } = entry;
    const before = current.get(_id);
    const merged = before ? mergeSuppression(before, entry, now) : entry;
    // The expiry of a damaged entry is unknown and may have been unlimited, so the new entry does not expire.
    const { expireAt: _, ...lasting } = merged;
    const after = { ...(damaged.has(_id) ? lasting : merged), domain: domainOf(entry.addressKey) };
    current.set(_id, after);
    return { outcome: additionOutcome(before, after, now), after };
  });
  const writes = [...new Set(added.map(({ _id }) => _id))].flatMap((id) => {
    const [before, after] = [stored.get(id), current.get(id)];
    return after && !isDeepStrictEqual(before, after) ? [{ before, after }] : [];
  });
  return { additions, writes };
}
