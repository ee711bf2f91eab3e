import type { HandlerContext } from "../../rpc/callers.ts";
import { type KeyHolder, type OpenedKey, type OpenKeyOptions, openKey } from "../access/open-key.ts";
import { readsOwnOnly, type Scope } from "../access/scopes.ts";

/** What a key may look at. */
export interface KeyReader extends Pick<OpenedKey, "rateLimits" | "audit"> {
  readonly accountId: string;
  /** Only what this key has sent is there; undefined: all of the account's. */
  readonly ownKeyId: string | undefined;
}

/** Finds what a key may look at, and counts the call. @throws Fault auth.*, rate.limited, store.unavailable */
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
