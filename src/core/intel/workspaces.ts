import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CreateClientRequest,
  type CreateClientResponseSchema,
  type CreateWorkspaceRequest,
  type CreateWorkspaceResponseSchema,
  type GetClientRequest,
  type GetClientResponseSchema,
  type ListClientsRequest,
  type ListClientsResponseSchema,
  type ListWorkspacesRequest,
  type ListWorkspacesResponseSchema,
  type RenameWorkspaceRequest,
  type RenameWorkspaceResponseSchema,
  type UpdateClientRequest,
  type UpdateClientResponseSchema,
  WorkspaceService,
} from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { type HandlerContext, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { listClients } from "./list-clients.ts";
import { readClient } from "./read-client.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";
import { toClient, toWorkspace } from "./workspace-to-proto.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");
const MAX_NAME = 100;

type Needs = Pick<Dependencies, "store" | "intel">;

/** Workspaces, and the clients in them. */
export const workspaces = defineArea({
  service: WorkspaceService,
  callers: {
    listWorkspaces: READ,
    createWorkspace: WRITE,
    renameWorkspace: WRITE,
    listClients: READ,
    getClient: READ,
    createClient: WRITE,
    updateClient: WRITE,
  },
  audits: {
    listWorkspaces: LOOKS,
    createWorkspace: changes("workspace.create"),
    renameWorkspace: changes("workspace.rename", "id"),
    listClients: LOOKS,
    getClient: LOOKS,
    createClient: changes("client.create"),
    updateClient: changes("client.update", "id"),
  },
  handlers: (needs: Needs) => ({
    listWorkspaces: createListWorkspaces(needs),
    createWorkspace: createCreateWorkspace(needs),
    renameWorkspace: createRenameWorkspace(needs),
    listClients: createListClients(needs),
    getClient: createGetClient(needs),
    createClient: createCreateClient(needs),
    updateClient: createUpdateClient(needs),
  }),
});

function createListWorkspaces({ store, intel }: Needs) {
  return async (
    request: ListWorkspacesRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof ListWorkspacesResponseSchema>> => {
    const account = await resolveAccount(store, request);
    await account.workspaces.first(audit);
    const all = await account.workspaces.list();
    return { workspaces: all.map((one) => toWorkspace(one, intel.resolver())) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, workspace.too_many */
function createCreateWorkspace({ store, intel }: Needs) {
  return async (
    request: CreateWorkspaceRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof CreateWorkspaceResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const name = readName(request.name);
    await account.workspaces.first(audit);
    return { workspace: toWorkspace(await account.workspaces.create(name, audit), intel.resolver()) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, workspace.unknown, resource.stale */
function createRenameWorkspace({ store, intel }: Needs) {
  return async (
    request: RenameWorkspaceRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof RenameWorkspaceResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { id, ifRevision } = request;
    const renamed = await account.workspaces.rename(id, readName(request.name), audit, ifRevision);
    if (!renamed) throw fault("workspace.unknown");
    return { workspace: toWorkspace(renamed, intel.resolver()) };
  };
}

/** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
function createListClients(needs: Needs) {
  return async (
    request: ListClientsRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof ListClientsResponseSchema>> => {
    const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
    return listClients(needs, { ...request, account, workspaceId });
  };
}

/** @throws Fault account.unknown, client.unknown */
function createGetClient({ store }: Needs) {
  return async (request: GetClientRequest): Promise<MessageInitShape<typeof GetClientResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const client = await account.workspaces.findClient(request.id);
    if (!client) throw fault("client.unknown");
    return { client: toClient(client) };
  };
}

/** @throws Fault account.unknown, workspace.unknown, request.validation_failed, client.duplicate, client.too_many */
function createCreateClient(needs: Needs) {
  return async (
    request: CreateClientRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof CreateClientResponseSchema>> => {
    const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
    const outcome = await account.workspaces.createClient(workspaceId, readClient(request.settings), audit);
    if (!("client" in outcome)) throw new Error("a request without a key was answered before");
    return { client: toClient(outcome.client) };
  };
}

/** @throws Fault account.unknown, client.unknown, request.validation_failed, client.duplicate, resource.stale */
function createUpdateClient({ store }: Needs) {
  return async (
    request: UpdateClientRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof UpdateClientResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const settings = readClient(request.settings);
    const status = request.archived ? "archived" : "active";
    const removal = createRemoval(`The client ${JSON.stringify(settings.name)}`, request);
    const { id, ifRevision } = request;
    const basis = { check: removal.check, ifRevision };
    const client = await account.workspaces.updateClient(id, settings, status, audit, basis);
    if (!client) throw fault("client.unknown");
    return { client: toClient(client), ...removal.answer() };
  };
}

function readName(given: string): string {
  const name = given.trim();
  if (name !== "" && [...name].length <= MAX_NAME && !/\p{Cc}/u.test(name)) return name;
  const message = `A workspace's name has 1 to ${MAX_NAME} characters, and no control character.`;
  throw validationFault([{ pointer: "/name", code: "field.invalid", message }]);
}
