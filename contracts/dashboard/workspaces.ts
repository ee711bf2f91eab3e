import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { clientFilter } from "../common/intel-filters.ts";
import { client, newClient, workspace, workspaceId } from "../common/intel-schemas.ts";
import { forcedRemoval, removalQuery, resourceUse } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

/** Query parameter that names the workspace, for lists and for creation. */
export const workspaceQuery = {
  workspace_id: workspaceId
    .optional()
    .meta({ description: "Id of the workspace. Missing: the first workspace of the account." }),
};

const name = z.string().meta({
  description: "Name for people, 1 to 100 characters. No behavior depends on it.",
  examples: ["Acme Agency"],
});

const workspaceParams = z.object({
  workspace_id: z.string().meta({ description: "Id of the workspace." }),
});
const clientParams = z.object({ client_id: z.string().meta({ description: "Id of the client." }) });

export const workspaces = c.router({
  listWorkspaces: {
    method: "GET",
    path: "/api/intel/workspaces",
    summary: "List workspaces",
    description:
      "Lists workspaces, oldest first. The first workspace is the default in requests that name none. An account has at most 200.",
    ...reading({
      access: "intel.read",
      success: {
        200: z
          .object({ data: z.array(workspace) })
          .meta({ id: "WorkspaceList", description: "All workspaces of the account." }),
      },
    }),
  },
  createWorkspace: {
    method: "POST",
    path: "/api/intel/workspaces",
    summary: "Create a workspace",
    description:
      "Creates a workspace. Workspaces do not see each other's data. The new workspace has no key yet: create one with `POST /api/keys` and its `workspace_id`.",
    body: z.strictObject({ name }).meta({ id: "NewWorkspace", description: "A workspace to create." }),
    ...changing({ access: "intel.write", faults: ["workspace.too_many"], success: { 201: workspace } }),
  },
  renameWorkspace: {
    method: "PUT",
    path: "/api/intel/workspaces/:workspace_id",
    pathParams: workspaceParams,
    summary: "Rename a workspace",
    body: z
      .strictObject({ name, if_revision: ifRevision })
      .meta({ id: "WorkspaceReplacement", description: "New name of a workspace." }),
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
    description: "Lists the clients of one workspace by name, including archived clients.",
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
      "Creates a client. Names (not case-sensitive) and `external_ref` are unique within a workspace.",
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
    summary: "Get a client",
    ...reading({ access: "intel.read", faults: ["client.unknown"], success: { 200: client } }),
  },
  updateClient: {
    method: "PUT",
    path: "/api/intel/clients/:client_id",
    pathParams: clientParams,
    summary: "Replace, archive or restore a client",
    description: "Replaces the whole client: fields that are left out are removed.",
    body: newClient
      .extend({
        archived: z.boolean().meta({
          description:
            "Whether the client is archived. It cannot get more domains, and its domains are still watched.",
        }),
        force: z.boolean().optional().meta({
          description:
            "Whether to archive the client although schedules mail reports about its domains. These schedules then fail. Default: `false`.",
        }),
        if_revision: ifRevision,
      })
      .meta({ id: "ClientReplacement", description: "Complete settings of a client." }),
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
            description:
              "The client after the change, with the schedules that stopped working because of `force`.",
          }),
      },
    }),
  },
  removeClient: {
    method: "DELETE",
    path: "/api/intel/clients/:client_id",
    pathParams: clientParams,
    summary: "Remove a client",
    description:
      "Removes a client and its score history. A client with domains is removed with `with_domains=true` only: it is archived at once, and a job removes its domains with their findings, histories, changes and DMARC data, and then the client. Reports that were made stay until they expire, and keys of the workspace stay valid. Schedules of reports about the client or its domains prevent the removal unless it is forced; they then fail.",
    query: removalQuery.extend({
      if_revision: ifRevision,
      with_domains: z
        .enum(["true", "false"])
        .optional()
        .meta({ description: "Whether to remove the domains of the client with it. Default: `false`." }),
    }),
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: [
        "client.unknown",
        "client.not_empty",
        "resource.stale",
        "resource.in_use",
        "job.too_many",
        "auth.reauthentication_required",
      ],
      success: { 200: forcedRemoval, 202: job, 204: c.noBody() },
    }),
  },
});
