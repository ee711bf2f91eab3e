import type { KeyHolder } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault, type RateLimitState } from "../../shared/fault.ts";
import type { WorkspaceDocument } from "../../store/intel-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { RateLimits } from "../access/rate-limits.ts";
import type { Scope } from "../access/scopes.ts";
import { actorOf } from "../emails/key-reader.ts";

/** What a deliverability key opens. */
export interface OpenedWorkspace {
  readonly account: AccountStore;
  readonly workspace: WorkspaceDocument;
  readonly keyId: string;
  readonly rateLimits: RateLimitState[];
  /** What is changed for the key, as the audit log has it. */
  readonly audit: Audit;
}

/** @throws Fault auth.*, rate.limited, workspace.unknown, store.unavailable */
export type OpenWorkspace = (
  holder: KeyHolder | undefined,
  context: Pick<HandlerContext, "peerAddress" | "audit">,
  scope: Scope,
) => Promise<OpenedWorkspace>;

export interface OpenWorkspaceOptions {
  readonly authenticator: Pick<KeyAuthenticator, "authenticate">;
  readonly readRateLimits: RateLimits;
  readonly store: Pick<Store, "forAccount">;
}

export function createOpenWorkspace(options: OpenWorkspaceOptions): OpenWorkspace {
  const { authenticator, readRateLimits, store } = options;
  return async (holder, { peerAddress, audit }, scope) => {
    const { apiKey = "", clientAddress = "", workspaceId: asked = "" } = holder ?? {};
    const client = clientAddress || peerAddress;
    const key = await authenticator.authenticate(apiKey, {
      kind: "deliverability",
      scope,
      clientAddress: client,
      // A service that calls the core for itself names no client.
      surface: clientAddress === "" ? "grpc" : "http",
      isOperation: true,
    });
    const rateLimits = await readRateLimits.consume(key._id, key.accountId);
    const account = store.forAccount(key.accountId);
    const audited = { ...audit, actor: actorOf(key), clientAddress: client };
    // A key that was made before there were workspaces opens the first one.
    const workspace =
      key.workspaceId === undefined
        ? await account.workspaces.first(audited)
        : await account.workspaces.find(key.workspaceId);
    if (!workspace || (asked !== "" && asked !== workspace._id)) throw fault("workspace.unknown");
    return { account, workspace, keyId: key._id, rateLimits, audit: audited };
  };
}
