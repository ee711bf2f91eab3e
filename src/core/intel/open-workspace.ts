import type { KeyHolder } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import type { WorkspaceDocument } from "../../store/intel-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { type OpenedKey, type OpenKeyOptions, openKey } from "../access/open-key.ts";
import type { Scope } from "../access/scopes.ts";

/** Workspace of a deliverability key. */
export interface OpenedWorkspace extends Pick<OpenedKey, "rateLimits" | "audit"> {
  readonly account: AccountStore;
  readonly workspace: WorkspaceDocument;
  readonly keyId: string;
}

/** @throws Fault auth.*, rate.limited, workspace.unknown, store.unavailable */
export type OpenWorkspace = (
  holder: KeyHolder | undefined,
  context: Pick<HandlerContext, "peerAddress" | "audit">,
  scope: Scope,
) => Promise<OpenedWorkspace>;

export interface OpenWorkspaceOptions extends OpenKeyOptions {
  readonly store: Pick<Store, "forAccount">;
}

export function createOpenWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  return async (holder, context, scope) => {
    const { apiKey = "", clientAddress = "", workspaceId: asked = "" } = holder ?? {};
    const demand = { kind: "deliverability", scope } as const;
    const { key, rateLimits, audit } = await openKey(options, { apiKey, clientAddress }, context, demand);
    const account = options.store.forAccount(key.accountId);
    // A key from before workspaces existed opens the first one.
    const workspace =
      key.workspaceId === undefined
        ? await account.workspaces.first(audit)
        : await account.workspaces.find(key.workspaceId);
    if (!workspace || (asked !== "" && asked !== workspace._id)) throw fault("workspace.unknown");
    return { account, workspace, keyId: key._id, rateLimits, audit };
  };
}
