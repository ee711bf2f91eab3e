import type { Scope } from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import type { WatchScope } from "../../store/find-findings.ts";
import type { ClientDocument, WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

export interface ResolvedScope extends WatchScope {
  readonly account: AccountStore;
  /** Set if the scope names a client. */
  readonly client?: ClientDocument;
  /** Set if the scope names a domain. */
  readonly domain?: WatchedDomainDocument;
}

interface ScopedRequest {
  readonly accountId: string;
  readonly scope?: Pick<Scope, "workspaceId" | "clientId" | "domainId"> | undefined;
}

/**
 * Finds the domains that a request is about: one domain, the domains of a client, or those of a workspace. A domain
 * or client of another workspace or client than the named one does not exist.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown
 */
export async function resolveScope(
  needs: Pick<Dependencies, "store">,
  { accountId, scope }: ScopedRequest,
  audit: Audit,
): Promise<ResolvedScope> {
  const { workspaceId = "", clientId = "", domainId = "" } = scope ?? {};
  if (clientId === "" && domainId === "") return resolveWorkspace(needs, { accountId, workspaceId }, audit);
  const account = await resolveAccount(needs.store, { accountId });
  const client = clientId === "" ? null : await account.workspaces.findClient(clientId);
  const isElsewhere = (id: string) => workspaceId !== "" && id !== workspaceId;
  if (clientId !== "" && (!client || isElsewhere(client.workspaceId))) throw fault("client.unknown");
  const domain = domainId === "" ? null : await account.watches.find(domainId);
  if (domainId !== "") {
    if (!domain || isElsewhere(domain.workspaceId)) throw fault("watched_domain.unknown");
    if (client && domain.clientId !== client._id) throw fault("watched_domain.unknown");
  }
  return {
    account,
    workspaceId: domain?.workspaceId ?? client?.workspaceId ?? workspaceId,
    ...(client && { client, clientId: client._id }),
    ...(domain && { domain }),
  };
}
