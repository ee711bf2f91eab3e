import type { Filter } from "mongodb";
import { type SuppressionDocument, type SuppressionReason, suppressionReasons } from "./documents.ts";
import type { ListPage } from "./list-page.ts";

/** Which entries are meant; what is missing is not asked for. */
export interface SuppressionFilter {
  readonly addressKey?: string | undefined;
  readonly domain?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** null: entries for all mail of the account. */
  readonly policy?: string | null | undefined;
  readonly messageId?: string | undefined;
}

/** Entries by their beginning, newest first. */
export interface SuppressionSpan {
  readonly reason?: SuppressionReason | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only what stands behind this in the order of the list: the last of the page before. */
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined;
  readonly limit: number;
  readonly now: Date;
}

/** In the order of what ids have behind the account's. */
export interface SuppressionPage extends ListPage, SuppressionFilter {
  /** Entries that have ended by now are left out. */
  readonly now: Date;
}

/**
 * For what ids begin with, and an index of domain, policy and reason: all reasons are named where none is asked for, so
 * that the index gives the order.
 */
export function pageFilter(accountId: string, page: SuppressionPage): Filter<SuppressionDocument> {
  const { after, addressKey, domain, reason, policy, messageId } = page;
  // The scopes of one address lie side by side, and no domain holds a colon.
  const ofAddress = addressKey === undefined ? undefined : `${accountId}:${addressKey}`;
  const behind = after === undefined ? undefined : `${accountId}:${after}`;
  const isSearched = domain !== undefined || policy !== undefined;
  const filter = {
    ...((ofAddress ?? behind) !== undefined && {
      _id: {
        ...(ofAddress !== undefined && { $gte: `${ofAddress}:`, $lt: `${ofAddress};` }),
        ...(behind !== undefined && { $gt: behind }),
      },
    }),
    ...(domain !== undefined && { domain }),
    ...(policy !== undefined && { policy }),
    ...(messageId !== undefined && { messageId }),
    ...(reason !== undefined ? { reason } : isSearched && { reason: { $in: suppressionReasons } }),
  };
  return filter as Filter<SuppressionDocument>;
}

/** For indexes of reason and beginning. */
export function spanFilter(
  accountId: string,
  { reason, from, until, after }: Omit<SuppressionSpan, "limit" | "now">,
): Filter<SuppressionDocument> {
  // Dates alone: an entry whose beginning is damaged has no place in this order.
  const createdAt = { $gte: from ?? new Date(0), ...(until && { $lt: until }) };
  const of = { accountId, ...(reason !== undefined && { reason }) };
  if (!after) return { ...of, createdAt };
  const _id = { $lt: `${accountId}:${after.id}` };
  const behind = [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id }];
  return { ...of, createdAt: { ...createdAt, $lte: after.createdAt }, $or: behind };
}
