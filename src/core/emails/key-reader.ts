import type { HandlerContext } from "../../rpc/callers.ts";
import { type KeyHolder, type OpenedKey, type OpenKeyOptions, openKey } from "../access/open-key.ts";
import { readsOwnOnly, type Scope } from "../access/scopes.ts";

/** Read access of a key. */
export interface KeyReader extends Pick<OpenedKey, "rateLimits" | "audit"> {
  readonly accountId: string;
  /** Id of the key if it sees only messages that it has sent; undefined: all messages of the account. */
  readonly ownKeyId: string | undefined;
}

/** Determines the read access of a key, and counts the call. @throws Fault auth.*, rate.limited, store.unavailable */
export type OpenKeyReader = (
  request: KeyHolder,
  context: Pick<HandlerContext, "peerAddress" | "audit">,
  scope: Scope,
) => Promise<KeyReader>;

export function createOpenKeyReader(options: OpenKeyOptions): OpenKeyReader {
  return async (request, context, scope) => {
    const { key, rateLimits, audit } = await openKey(options, request, context, { kind: "account", scope });
    const ownKeyId = readsOwnOnly(key) ? key._id : undefined;
    return { accountId: key.accountId, ownKeyId, rateLimits, audit };
  };
}
