import { type SuppressionDocument, type SuppressionReason, suppressionReasons } from "./documents.ts";

export type NewSuppression = Omit<SuppressionDocument, "_id">;

/**
 * What an entry becomes when the same address is added again. The stronger reason stands, or the newer one of two
 * equals, with what was said of it; the entry keeps its beginning, and lasts as long as the longer of the two:
 * nothing that happens by itself shortens it.
 */
export function mergeSuppression(known: SuppressionDocument, added: NewSuppression): SuppressionDocument {
  const { _id, createdAt } = known;
  // TTL deletion lags: an entry past its end is as good as gone.
  if (!isLive(known, added.createdAt)) return { _id, ...added };
  const { expireAt: _, ...standing } = strength(added.reason) >= strength(known.reason) ? added : known;
  const expireAt = later(known.expireAt, added.expireAt);
  return { ...standing, _id, createdAt, ...(expireAt && { expireAt }) };
}

export function isLive({ expireAt }: Pick<SuppressionDocument, "expireAt">, now: Date): boolean {
  return expireAt === undefined || expireAt > now;
}

function strength(reason: SuppressionReason): number {
  return suppressionReasons.indexOf(reason);
}

/** undefined stands for never. */
function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? one : other;
}
