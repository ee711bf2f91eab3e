import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { client as clientSchema, workspace } from "../../../contracts/common/intel-schemas.ts";
import { workspaces } from "../../../contracts/dashboard/workspaces.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";

const client = clientOf(workspaces);

export type Workspace = z.output<typeof workspace>;
/** The owner of watched domains in a workspace. */
export type IntelClient = z.output<typeof clientSchema>;
/** Settings of a client, as a change sends them. */
export type ClientSettings = Parameters<typeof client.createClient>[0]["body"];

/** All workspaces of the account, oldest first. The first one is the default of requests that name none. */
export const workspacesQuery = queryOptions({
  queryKey: ["intel", "workspaces"],
  queryFn: ({ signal }) => call(() => client.listWorkspaces({ fetchOptions: { signal } })),
});

export const createWorkspace = (name: string) => call(() => client.createWorkspace({ body: { name } }));

/** The server refuses it if the workspace has another revision. */
export const renameWorkspace = (workspace_id: string, name: string, if_revision: string) =>
  call(() => client.renameWorkspace({ params: { workspace_id }, body: { name, if_revision } }));

const MOST_FOUND = 20;

/** Clients by the beginning of a word of their names, for a field that picks one. */
export const foundClientsQuery = (workspace_id: string | undefined, search: string) =>
  queryOptions({
    queryKey: ["intel", "clients", "found", workspace_id, search],
    queryFn: ({ signal }) =>
      call(() =>
        client.listClients({
          query: { limit: MOST_FOUND, ...(workspace_id && { workspace_id }), ...(search && { search }) },
          fetchOptions: { signal },
        }),
      ),
  });

/** Most clients that are named. */
const MOST_NAMED = 1_000;
const NAMES_MS = 60_000;

/** Names of the clients of a workspace by id, for lists of their domains. */
export const clientNamesQuery = (workspace_id: string | undefined) =>
  queryOptions({
    queryKey: ["intel", "clients", "names", workspace_id],
    staleTime: NAMES_MS,
    queryFn: async ({ signal }): Promise<Readonly<Record<string, string>>> => {
      const found = await findFirst(MOST_NAMED, (cursor) =>
        call(() =>
          client.listClients({
            query: { ...pageOf(cursor, 100), ...(workspace_id && { workspace_id }) },
            fetchOptions: { signal },
          }),
        ),
      );
      return Object.fromEntries(found.rows.map(({ id, name }) => [id, name]));
    },
  });

/** A picked client, for its name. */
export const pickedClientQuery = (client_id: string) =>
  queryOptions({
    queryKey: ["intel", "clients", "picked", client_id],
    queryFn: ({ signal }) =>
      call(() => client.getClient({ params: { client_id }, fetchOptions: { signal } })),
  });

/** Filters of the list of clients, as in the address. */
export const clientFilterNames = ["workspace_id", "search", "status", "tag"] as const;
export type ClientFilter = {
  readonly [Name in (typeof clientFilterNames)[number]]?: string | undefined;
};

/** Clients of a workspace by name. */
export const clientsBy = (filter: ClientFilter) =>
  listQuery(["intel", "clients", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listClients({ query: { ...query, ...filter } as never, fetchOptions })),
  );

export const createClient = (workspace_id: string | undefined, body: ClientSettings) =>
  call(() => client.createClient({ query: workspace_id ? { workspace_id } : {}, body }));

interface ClientChange {
  readonly settings: ClientSettings;
  readonly archived: boolean;
  /** Whether schedules that mail reports about the client may stop working. */
  readonly isForced?: boolean;
}

/** Replaces all settings. The server refuses it if the client has another revision. */
export const updateClient = (
  { id, revision }: Pick<IntelClient, "id" | "revision">,
  { settings, archived, isForced = false }: ClientChange,
) =>
  call(() =>
    client.updateClient({
      params: { client_id: id },
      body: { ...settings, archived, ...(isForced && { force: true }), if_revision: revision },
    }),
  );

/**
 * Removes a client with its domains.
 * @returns id of the job that removes the domains; undefined if the client had none
 */
export async function removeClient(
  { id, revision, counts }: Pick<IntelClient, "id" | "revision" | "counts">,
  isForced: boolean,
): Promise<string | undefined> {
  const answer = await call(() =>
    client.removeClient({
      params: { client_id: id },
      query: {
        if_revision: revision,
        ...(counts.domains > 0 && { with_domains: "true" as const }),
        ...(isForced && { force: "true" as const }),
      },
    }),
  );
  return typeof answer === "object" && answer !== null && "kind" in answer ? answer.id : undefined;
}
