import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { ClientDocument } from "../../store/intel-documents.ts";
import type { ScheduleDocument } from "../../store/schedule-documents.ts";
import type { AccountStore } from "../../store/store.ts";

/**
 * Client of a schedule's reports; undefined: they are about a workspace.
 * @throws Fault workspace.unknown, client.unknown, client.archived, watched_domain.unknown
 */
export async function findScheduleClient(
  { watches, workspaces }: Pick<AccountStore, "watches" | "workspaces">,
  { workspaceId, scope: { type, id } }: Pick<ScheduleDocument, "workspaceId" | "scope">,
): Promise<ClientDocument | undefined> {
  if (type === "workspace") {
    if (id !== workspaceId) throw fault("workspace.unknown");
    return undefined;
  }
  const domain = type === "domain" ? await watches.find(id) : undefined;
  if (type === "domain" && domain?.workspaceId !== workspaceId) throw fault("watched_domain.unknown");
  const client = await workspaces.findClient(domain?.clientId ?? id);
  if (!client || client.workspaceId !== workspaceId) throw fault("client.unknown");
  if (client.status === "active") return client;
  throw fault("client.archived", {
    public: say("client_archived_no_reports_mailed_about", { name: client.name }),
  });
}
