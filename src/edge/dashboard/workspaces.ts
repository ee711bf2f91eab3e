import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { client, workspace } from "../../../contracts/common/intel-schemas.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import type { workspaces as contract } from "../../../contracts/dashboard/workspaces.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import {
  ClientSchema,
  type Client as FoundClient,
  type Workspace as FoundWorkspace,
  WorkspaceSchema,
} from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { nullBodyOf } from "../intel-body.ts";
import { clientFilterOf, clientSettingsOf } from "../intel-requests.ts";
import {
  bodyOf,
  bodyOfUse,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";

/** Handlers of the routes of `dashboard.workspaces`. */
export function workspaces(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listWorkspaces: async ({ request }) => {
      const found = await coreFor(request).workspaces.listWorkspaces({});
      return { status: 200, body: { data: found.workspaces.map(workspaceBody) } };
    },
    createWorkspace: async ({ request, body }) => {
      const created = await coreFor(request).workspaces.createWorkspace({ name: body.name });
      return { status: 201, body: workspaceBody(created.workspace) };
    },
    renameWorkspace: async ({ request, params, body }) => {
      const asked = { id: params.workspace_id, name: body.name, ifRevision: body.if_revision ?? "" };
      const renamed = await coreFor(request).workspaces.renameWorkspace(asked);
      return { status: 200, body: workspaceBody(renamed.workspace) };
    },
    listClients: async ({ request, query }) => {
      const found = await coreFor(request).workspaces.listClients({
        ...pageRequest(query),
        workspaceId: query.workspace_id ?? "",
        filter: clientFilterOf(query),
      });
      return { status: 200, body: pageBody(found.clients.map(clientBody), found.nextPageToken) };
    },
    createClient: async ({ request, query, body }) => {
      const created = await coreFor(request).workspaces.createClient({
        workspaceId: query.workspace_id ?? "",
        settings: clientSettingsOf(body),
      });
      return { status: 201, body: clientBody(created.client) };
    },
    getClient: async ({ request, params }) => {
      const found = await coreFor(request).workspaces.getClient({ id: params.client_id });
      return { status: 200, body: clientBody(found.client) };
    },
    updateClient: async ({ request, params, body }) => {
      const { archived, force = false, if_revision: ifRevision = "", ...given } = body;
      const settings = clientSettingsOf(given);
      const asked = { id: params.client_id, archived, force, settings, ifRevision };
      const updated = await coreFor(request).workspaces.updateClient(asked);
      return { status: 200, body: { ...clientBody(updated.client), ...bodyOfUse(updated) } };
    },
    removeClient: async ({ request, params, query }) => {
      const removed = await coreFor(request).workspaces.removeClient({
        id: params.client_id,
        force: isForced(query),
        withDomains: query.with_domains === "true",
        ifRevision: query.if_revision ?? "",
      });
      if (removed.job) return { status: 202, body: bodyOf<z.output<typeof job>>(JobSchema, removed.job) };
      return removedAnswer(removed);
    },
  };
}

function workspaceBody(found: FoundWorkspace | undefined): z.output<typeof workspace> {
  return nullBodyOf(WorkspaceSchema, found);
}

function clientBody(found: FoundClient | undefined): z.output<typeof client> {
  return nullBodyOf(ClientSchema, found);
}
