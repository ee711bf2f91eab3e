import type { Filter } from "mongodb";
import { type SuppressionDocument, type SuppressionReason, suppressionReasons } from "./documents.ts";
import type { ListPage } from "./list-page.ts";

/** Filter of entries. Missing fields do not filter. */
export interface SuppressionFilter {
  readonly addressKey?: string | undefined;
  readonly domain?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** null: entries for all mail of the account. */
  readonly policy?: string | null | undefined;
  readonly messageId?: string | undefined;
}

/** Entries by creation time, newest first. */
export interface SuppressionSpan {
  readonly reason?: SuppressionReason | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  /** Only entries after this one in the list: the last of the previous page. */
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined;
  readonly limit: number;
  readonly now: Date;
}

/** In the order of ids within the account. */
export interface SuppressionPage extends ListPage, SuppressionFilter {
  /** Entries that have expired at this time are left out. */
  readonly now: Date;
}

/**
 * For the prefix of ids, and an index of domain, policy and reason: all reasons are listed if none is requested, so
 * that the index provides the order.
 */
export function pageFilter(accountId: string, page: SuppressionPage): Filter<SuppressionDocument> {
  const { after, addressKey, domain, reason, policy, messageId } = page;
  // The scopes of one address are adjacent, and no domain contains a colon.
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

/** For indexes of reason and creation time. */
export function spanFilter(
  accountId: string,
  { reason, from, until, after }: Omit<SuppressionSpan, "limit" | "now">,
): Filter<SuppressionDocument> {
  // Dates only: an entry with a damaged creation time has no position in this order.
  const createdAt = { $gte: from ?? new Date(0), ...(until && { $lt: until }) };
  const of = { accountId, ...(reason !== undefined && { reason }) };
  if (!after) return { ...of, createdAt };
  const _id = { $lt: `${accountId}:${after.id}` };
  const behind = [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id }];
  return { ...of, createdAt: { ...createdAt, $lte: after.createdAt }, $or: behind };
}
