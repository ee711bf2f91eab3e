import type { Collection } from "mongodb";
import type { ClientDocument } from "./intel-documents.ts";
import type { ListPage } from "./list-page.ts";
import { foldName, searchKey } from "./search-keys.ts";
import { guarded } from "./store-fault.ts";

/** Filter of clients. Missing fields do not filter. */
export interface ClientFilter {
  readonly search?: string;
  readonly status?: ClientDocument["status"];
  readonly tag?: string;
  readonly externalRef?: string;
}

/** Finds the clients of an account. */
export function createFindClients(clients: Collection<ClientDocument>) {
  return (accountId: string) => ({
    findClient: (id: string) => guarded(clients.findOne({ _id: id, accountId })),

    /** The existing clients among these ids, by id. */
    async findClients(ids: readonly string[]): Promise<Map<string, ClientDocument>> {
      const found = await guarded(clients.find({ _id: { $in: [...ids] }, accountId }).toArray());
      return new Map(found.map((client) => [client._id, client]));
    },

    /** Clients of a workspace with one of these names or external references. */
    async findClientsNamed(
      workspaceId: string,
      { names, refs }: { readonly names: readonly string[]; readonly refs: readonly string[] },
    ): Promise<ClientDocument[]> {
      const of = { accountId, workspaceId };
      const [named, referred] = await Promise.all([
        guarded(clients.find({ ...of, nameKey: { $in: names.map(foldName) } }).toArray()),
        guarded(clients.find({ ...of, externalRef: { $in: [...refs] } }).toArray()),
      ]);
      return [...new Map([...named, ...referred].map((client) => [client._id, client])).values()];
    },

    /** By the normalized name. */
    listClients(workspaceId: string, filter: ClientFilter, { after, limit }: ListPage) {
      const { search, status, tag, externalRef } = filter;
      const asked = {
        accountId,
        workspaceId,
        ...(status !== undefined && { status }),
        ...(tag !== undefined && { tags: tag }),
        ...(externalRef !== undefined && { externalRef }),
        ...(search !== undefined && { searchKeys: searchKey(search) }),
        ...(after !== undefined && { nameKey: { $gt: after } }),
      };
      // At most one client has an external reference.
      const sorted = externalRef === undefined ? { nameKey: 1 as const } : {};
      return guarded(clients.find(asked).sort(sorted).limit(limit).toArray());
    },
  });
}
