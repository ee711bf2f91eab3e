import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";

interface WorkspaceRequest {
  readonly accountId: string;
  /** Empty: the account's first workspace. */
  readonly workspaceId: string;
}

/**
 * Workspace of a request.
 * @throws Fault account.unknown, workspace.unknown
 */
export async function resolveWorkspace(
  { store }: Pick<Dependencies, "store">,
  request: WorkspaceRequest,
  audit: Audit,
): Promise<{ readonly account: AccountStore; readonly workspaceId: string }> {
  const account = await resolveAccount(store, request);
  if (request.workspaceId === "")
    return { account, workspaceId: (await account.workspaces.first(audit))._id };
  const found = await account.workspaces.find(request.workspaceId);
  if (!found) throw fault("workspace.unknown");
  return { account, workspaceId: found._id };
}
