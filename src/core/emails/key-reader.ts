import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import type { RateLimitState } from "../../shared/fault.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { RateLimits } from "../access/rate-limits.ts";
import { readsOwnOnly, type Scope } from "../access/scopes.ts";

/** What a key may look at. */
export interface KeyReader {
  readonly accountId: string;
  /** Only what this key has sent is there; undefined: all of the account's. */
  readonly ownKeyId: string | undefined;
  readonly rateLimits: RateLimitState[];
  /** What is changed for the key, as the audit log has it. */
  readonly audit: Audit;
}

/** Finds what a key may look at, and counts the call. @throws Fault auth.*, rate.limited, store.unavailable */
export type OpenKeyReader = (
  request: { readonly apiKey: string; readonly clientAddress: string },
  context: Pick<HandlerContext, "peerAddress" | "audit">,
  scope: Scope,
) => Promise<KeyReader>;

export interface KeyReaderOptions {
  readonly authenticator: Pick<KeyAuthenticator, "authenticate">;
  /** Those of reading: who asks what became of mail sends no less for it. */
  readonly readRateLimits: RateLimits;
}

export function createOpenKeyReader({ authenticator, readRateLimits }: KeyReaderOptions): OpenKeyReader {
  return async ({ apiKey, clientAddress }, { peerAddress, audit }, scope) => {
    const client = clientAddress || peerAddress;
    const key = await authenticator.authenticate(apiKey, {
      kind: "account",
      scope,
      clientAddress: client,
      // A service that calls the core for itself names no client.
      surface: clientAddress === "" ? "grpc" : "http",
      isOperation: true,
    });
    return {
      accountId: key.accountId,
      ownKeyId: readsOwnOnly(key) ? key._id : undefined,
      rateLimits: await readRateLimits.consume(key._id, key.accountId),
      audit: { ...audit, actor: actorOf(key), clientAddress: client },
    };
  };
}

export const actorOf = ({ _id: id, name, prefix }: KeyDocument) => ({
  kind: "key" as const,
  id,
  name: name || prefix,
});
