import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { clientFilter } from "../common/intel-filters.ts";
import { client, newClient, workspace, workspaceId } from "../common/intel-schemas.ts";
import { resourceUse } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { page, pageQuery } from "./common.ts";

const c = initContract();

/** In which workspace, for lists and for what is made. */
export const workspaceQuery = {
  workspace_id: workspaceId
    .optional()
    .meta({ description: "The workspace; missing: the first one of the account." }),
};

const name = z.string().meta({
  description: "1 to 100 characters, for people: nothing depends on it.",
  examples: ["Acme Agency"],
});

const workspaceParams = z.object({
  workspace_id: z.string().meta({ description: "The workspace's `id`." }),
});
const clientParams = z.object({ client_id: z.string().meta({ description: "The client's `id`." }) });

export const workspaces = c.router({
  listWorkspaces: {
    method: "GET",
    path: "/api/intel/workspaces",
    summary: "List workspaces",
    description:
      "The earliest first: it is the one that is meant where none is named. There are 200 at most.",
    ...reading({
      access: "intel.read",
      success: {
        200: z
          .object({ data: z.array(workspace) })
          .meta({ id: "WorkspaceList", description: "All of them." }),
      },
    }),
  },
  createWorkspace: {
    method: "POST",
    path: "/api/intel/workspaces",
    summary: "Make a workspace",
    description:
      "Nothing of one workspace is seen in another. It has no key yet: `POST /api/keys` makes one with its `workspace_id`.",
    body: z
      .strictObject({ name })
      .meta({ id: "NewWorkspace", description: "A workspace that is to be made." }),
    ...changing({ access: "intel.write", faults: ["workspace.too_many"], success: { 201: workspace } }),
  },
  renameWorkspace: {
    method: "PUT",
    path: "/api/intel/workspaces/:workspace_id",
    pathParams: workspaceParams,
    summary: "Rename a workspace",
    body: z
      .strictObject({ name, if_revision: ifRevision })
      .meta({ id: "WorkspaceReplacement", description: "What it is to be called." }),
    ...changing({
      access: "intel.write",
      faults: ["workspace.unknown", "resource.stale"],
      success: { 200: workspace },
    }),
  },
  listClients: {
    method: "GET",
    path: "/api/intel/clients",
    summary: "List clients",
    description: "Those of one workspace by name, archived ones among them.",
    query: pageQuery.extend({ ...workspaceQuery, ...clientFilter }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("ClientList", client) },
    }),
  },
  createClient: {
    method: "POST",
    path: "/api/intel/clients",
    summary: "Create a client",
    description:
      "No two clients of a workspace have the same name, whatever the case of its letters, or the same `external_ref`.",
    query: z.strictObject(workspaceQuery),
    body: newClient,
    ...changing({
      access: "intel.write",
      faults: ["workspace.unknown", "client.duplicate", "client.too_many"],
      success: { 201: client },
    }),
  },
  getClient: {
    method: "GET",
    path: "/api/intel/clients/:client_id",
    pathParams: clientParams,
    summary: "See a client",
    ...reading({ access: "intel.read", faults: ["client.unknown"], success: { 200: client } }),
  },
  updateClient: {
    method: "PUT",
    path: "/api/intel/clients/:client_id",
    pathParams: clientParams,
    summary: "Replace, archive or restore a client",
    description: "As a whole: what is missing is taken away.",
    body: newClient
      .extend({
        archived: z.boolean().meta({
          description: "It gets no further domains; those that it has are watched as before.",
        }),
        force: z.boolean().optional().meta({
          description:
            "True: archives the client although schedules mail reports about its domains, which fail from then on (false).",
        }),
        if_revision: ifRevision,
      })
      .meta({ id: "ClientReplacement", description: "What it is to be, as a whole." }),
    ...changing({
      access: "intel.write",
      faults: ["client.unknown", "client.duplicate", "resource.in_use", "resource.stale"],
      success: {
        200: client
          .extend({
            used_by: resourceUse.used_by.optional(),
            used_by_count: resourceUse.used_by_count.optional(),
          })
          .meta({
            id: "ReplacedClient",
            description: "The client as it is now, with the schedules that stopped working with `force`.",
          }),
      },
    }),
  },
});
