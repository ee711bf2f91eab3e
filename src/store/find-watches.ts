import type { Collection } from "mongodb";
import type { WatchedDomainDocument } from "./intel-documents.ts";
import { guarded } from "./store-fault.ts";
import {
  createListWatches,
  type WatchFilter,
  type WatchOrder,
  type WatchPage,
  watchFilter,
} from "./watch-list.ts";

/** A watched domain with its name. */
export interface WatchName {
  readonly id: string;
  readonly name: string;
}

/** Finds the watched domains of an account. */
export function createFindWatches(domains: Collection<WatchedDomainDocument>) {
  const list = createListWatches(domains);
  return (accountId: string) => ({
    find: (id: string) => guarded(domains.findOne({ _id: id, accountId })),

    /** In one of the orders. */
    list: (workspaceId: string, filter: WatchFilter, order: WatchOrder, page: WatchPage) =>
      list({ accountId, workspaceId }, filter, order, page),

    /** The names among these that a workspace watches. */
    async findNames(workspaceId: string, names: readonly string[]): Promise<Set<string>> {
      const asked = { accountId, workspaceId, name: { $in: [...names] } };
      const found = domains.find(asked, { projection: { name: 1 } });
      return new Set((await guarded(found.toArray())).map(({ name }) => name));
    },

    /** The clients of the watched domains among these names, by name. */
    async findOwners(workspaceId: string, names: readonly string[]): Promise<Map<string, string>> {
      const asked = { accountId, workspaceId, name: { $in: [...names] } };
      const found = domains.find(asked, { projection: { name: 1, clientId: 1 } });
      return new Map((await guarded(found.toArray())).map(({ name, clientId }) => [name, clientId]));
    },

    /** The domains of a workspace among these ids, by name. */
    async findNamesOf(workspaceId: string, ids: readonly string[]): Promise<WatchName[]> {
      const asked = { _id: { $in: [...ids] }, accountId, workspaceId };
      const found = await guarded(domains.find(asked, { projection: { name: 1 } }).toArray());
      return found.map(({ _id: id, name }) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    /** Number of domains that match, at most `most`. */
    count: (workspaceId: string, filter: WatchFilter, most: number) =>
      guarded(domains.countDocuments({ accountId, workspaceId, ...watchFilter(filter) }, { limit: most })),

    /** Subjects of the domains of a client: keys of states, without duplicates. */
    async subjectsOfClient(workspaceId: string, clientId: string): Promise<string[]> {
      const found = domains.find({ accountId, workspaceId, clientId }, { projection: { subjects: 1 } });
      return [...new Set((await guarded(found.toArray())).flatMap(({ subjects }) => subjects))];
    },
  });
}
