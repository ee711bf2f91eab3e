import type { Collection, Filter } from "mongodb";
import type { WatchedDomainDocument } from "./intel-documents.ts";
import { searchKey } from "./search-keys.ts";
import { guarded } from "./store-fault.ts";

/** Filter of domains. Missing fields do not filter. */
export interface WatchFilter {
  readonly id?: string;
  readonly name?: string;
  readonly clientId?: string;
  readonly status?: WatchedDomainDocument["status"];
  readonly role?: WatchedDomainDocument["role"];
  readonly grade?: string;
  readonly finding?: string;
  readonly search?: string;
  readonly tag?: string;
}

/** Orders of domain lists. The id breaks ties, which names do not have. */
export const watchOrders = {
  name: { field: "name", direction: 1, hasTies: false },
  "-score": { field: "scoreRank", direction: -1, hasTies: true },
  last_check_at: { field: "checkedRank", direction: 1, hasTies: true },
} as const;
export type WatchOrder = keyof typeof watchOrders;

/** Domain after which a page begins. */
export interface WatchPosition {
  readonly rank: string | number | Date;
  readonly id: string;
}

export interface WatchPage {
  readonly after?: WatchPosition | undefined;
  readonly limit: number;
}

/**
 * Lists the domains of a workspace in one of the indexed orders. Results that need another index are sorted: for the
 * maximum of 10,000 domains that takes a third of a second, and more indexes would slow down every check.
 */
export function createListWatches(domains: Collection<WatchedDomainDocument>) {
  return async (
    of: Pick<WatchedDomainDocument, "accountId" | "workspaceId">,
    filter: WatchFilter,
    order: WatchOrder,
    { after, limit }: WatchPage,
  ): Promise<WatchedDomainDocument[]> => {
    const { field, direction, hasTies } = watchOrders[order];
    const asked = { ...of, ...watchFilter(filter) };
    // At most one domain matches.
    if (filter.id !== undefined || filter.name !== undefined)
      return after ? [] : guarded(domains.find(asked).limit(limit).toArray());
    const find = (behind: Filter<WatchedDomainDocument>, most: number) =>
      guarded(
        domains
          .find({ ...asked, ...behind })
          .sort({ [field]: direction, ...(hasTies && { _id: 1 }) })
          .limit(most)
          .toArray(),
      );
    if (!after) return find({}, limit);
    const beside = hasTies ? await find({ [field]: after.rank, _id: { $gt: after.id } }, limit) : [];
    if (beside.length === limit) return beside;
    const than = direction === 1 ? "$gt" : "$lt";
    return [...beside, ...(await find({ [field]: { [than]: after.rank } }, limit - beside.length))];
  };
}

/** The query of a filter. */
export function watchFilter(filter: WatchFilter): Filter<WatchedDomainDocument> {
  const { id, name, clientId, status, role, grade, finding, search, tag } = filter;
  return {
    ...(id !== undefined && { _id: id }),
    ...(name !== undefined && { name }),
    ...(clientId !== undefined && { clientId }),
    ...(status !== undefined && { status }),
    ...(role !== undefined && { role }),
    ...(grade !== undefined && { grade: grade as WatchedDomainDocument["grade"] }),
    ...(finding !== undefined && { findingIds: finding }),
    ...(search !== undefined && { searchKeys: searchKey(search) }),
    ...(tag !== undefined && { tags: tag }),
  };
}
