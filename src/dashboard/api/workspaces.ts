import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { workspace } from "../../../contracts/common/intel-schemas.ts";
import { workspaces } from "../../../contracts/dashboard/workspaces.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(workspaces);

export type Workspace = z.output<typeof workspace>;

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

/** A picked client, for its name. */
export const pickedClientQuery = (client_id: string) =>
  queryOptions({
    queryKey: ["intel", "clients", "picked", client_id],
    queryFn: ({ signal }) =>
      call(() => client.getClient({ params: { client_id }, fetchOptions: { signal } })),
  });
