import type { WatchedDomain } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { Client } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../core-command.ts";

/** Option of commands within a workspace. */
export const WORKSPACE = [
  "--workspace <id>",
  "id of the workspace (default: the first workspace)",
  "",
] as const;

/** Value of the option. */
export interface InWorkspace {
  /** Id of the workspace; empty: the first one. */
  readonly workspace: string;
}

type Context = Pick<CommandContext, "core" | "account">;

/**
 * Finds a client by its id, or in a workspace by its external reference or its name (in any case).
 * @throws Fault client.unknown
 */
export async function findClient(
  { core, account }: Context,
  given: string,
  workspace: string,
): Promise<Client> {
  if (/^cl_\w+$/.test(given)) {
    const { client } = await core.workspaces.getClient({ accountId: account, id: given });
    if (client) return client;
  }
  const [found] = given.trim() === "" ? [] : await calledSo({ core, account }, given, workspace);
  if (found) return found;
  throw fault("client.unknown", {
    public: say("workspace_no_client_id_external_reference"),
  });
}

/** @param name not empty: an empty filter would select all clients */
async function calledSo({ core, account }: Context, name: string, workspace: string): Promise<Client[]> {
  const asked = { accountId: account, workspaceId: workspace, pageSize: 1_000 };
  const { clients } = await core.workspaces.listClients({ ...asked, filter: { externalRef: name } });
  if (clients.length > 0) return clients;
  const found = await allPages(
    (pageToken) => core.workspaces.listClients({ ...asked, filter: { search: name }, pageToken }),
    (page) => page.clients,
  );
  const folded = (text: string) => text.normalize("NFKC").toLowerCase().trim();
  return found.filter((client) => folded(client.name) === folded(name));
}

/**
 * Finds a watched domain by its id, or by its name in a workspace; then without checks and history, as in a list.
 * @throws Fault watched_domain.unknown
 */
export async function findWatchedDomain(
  { core, account }: Context,
  given: string,
  workspace: string,
): Promise<WatchedDomain> {
  if (/^dom_\w+$/.test(given)) {
    const { domain } = await core.watches.getWatchedDomain({ accountId: account, id: given });
    if (domain) return domain;
  }
  const asked = { accountId: account, workspaceId: workspace, filter: { name: given } };
  // An empty name would select all domains.
  const { domains } = given.trim() === "" ? { domains: [] } : await core.watches.listWatchedDomains(asked);
  const [found] = domains;
  if (found) return found;
  throw fault("watched_domain.unknown", {
    public: say("workspace_watches_no_domain_name_id"),
  });
}
