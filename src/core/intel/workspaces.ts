import { WorkspaceService } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { listClients } from "./list-clients.ts";
import { readClient } from "./read-client.ts";
import { createRemoveClient } from "./remove-client.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";
import { toClient, toWorkspace } from "./workspace-to-proto.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");
const MAX_NAME = 100;

type Needs = Pick<Dependencies, "store" | "intel">;

/** Workspaces and their clients. */
export const workspaces: Area<Needs> = defineArea(WorkspaceService, {
  listWorkspaces: [
    READ,
    READS,
    ({ store, intel }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        await account.workspaces.first(audit);
        const all = await account.workspaces.list();
        return { workspaces: all.map((one) => toWorkspace(one, intel.resolver())) };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, workspace.too_many */
  createWorkspace: [
    WRITE,
    changes("workspace.create"),
    ({ store, intel }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const name = readName(request.name);
        await account.workspaces.first(audit);
        return { workspace: toWorkspace(await account.workspaces.create(name, audit), intel.resolver()) };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, workspace.unknown, resource.stale */
  renameWorkspace: [
    WRITE,
    changes("workspace.rename", "id"),
    ({ store, intel }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, ifRevision } = request;
        const renamed = await account.workspaces.rename(id, readName(request.name), audit, ifRevision);
        if (!renamed) throw fault("workspace.unknown");
        return { workspace: toWorkspace(renamed, intel.resolver()) };
      },
  ],
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
  listClients: [
    READ,
    READS,
    (needs) =>
      async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        return listClients(needs, { ...request, account, workspaceId });
      },
  ],
  /** @throws Fault account.unknown, client.unknown */
  getClient: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const client = await account.workspaces.findClient(request.id);
        if (!client) throw fault("client.unknown");
        return { client: toClient(client) };
      },
  ],
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, client.duplicate, client.too_many */
  createClient: [
    WRITE,
    changes("client.create"),
    (needs) =>
      async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        const outcome = await account.workspaces.createClient(
          workspaceId,
          readClient(request.settings),
          audit,
        );
        if (!("client" in outcome)) throw new Error("a request without a key has an earlier answer");
        return { client: toClient(outcome.client) };
      },
  ],
  /** @throws Fault account.unknown, client.unknown, request.validation_failed, client.duplicate, resource.stale */
  updateClient: [
    WRITE,
    changes("client.update", "id"),
    ({ store }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const settings = readClient(request.settings);
        const status = request.archived ? "archived" : "active";
        const removal = createRemoval({ kind: "client", name: settings.name }, request);
        const { id, ifRevision } = request;
        const basis = { check: removal.check, ifRevision };
        const client = await account.workspaces.updateClient(id, settings, status, audit, basis);
        if (!client) throw fault("client.unknown");
        return { client: toClient(client), ...removal.answer() };
      },
  ],
  removeClient: [WRITE, changes("client.remove", "id"), createRemoveClient],
});

function readName(given: string): string {
  const name = given.trim();
  if (name !== "" && [...name].length <= MAX_NAME && !/\p{Cc}/u.test(name)) return name;
  const message = say("workspace_name_1_characters_no_control", { max: MAX_NAME });
  throw validationFault([{ pointer: "/name", code: "field.invalid", message }]);
}
