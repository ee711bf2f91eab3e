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

/** What became, or would become, of one entry that is added. */
export interface Addition {
  readonly outcome: AdditionOutcome;
  /** As it is on the list then. */
  readonly after: SuppressionDocument;
}

/** One entry that is to be written. */
export interface PlannedWrite {
  /** Undefined: there was none that can be read. */
  readonly before: SuppressionDocument | undefined;
  readonly after: SuppressionDocument;
}

export interface AdditionPlan {
  /** One for each that is added, in their order: an entry that stands twice among them meets what came of itself. */
  readonly additions: readonly Addition[];
  readonly writes: readonly PlannedWrite[];
}

/**
 * What adding entries comes to; writes nothing.
 * @param known what is stored under their ids
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
    // What a damaged one said is not known, and may have been for ever: the new entry does not end by itself.
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
