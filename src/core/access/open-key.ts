import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import type { RateLimitState } from "../../shared/fault.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { KeyAuthenticator, KeyDemand } from "./authenticate-key.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Credentials of a caller with a key. */
export interface KeyHolder {
  readonly apiKey: string;
  /** Empty: the caller is itself the client. */
  readonly clientAddress: string;
}

/** A key with the required permission, after its call was counted. */
export interface OpenedKey {
  readonly key: KeyDocument;
  readonly rateLimits: RateLimitState[];
  /** Audit context for changes with the key. */
  readonly audit: Audit;
}

export interface OpenKeyOptions {
  readonly authenticator: Pick<KeyAuthenticator, "authenticate">;
  /** Rate limits of reads. They are separate, so that reading does not reduce the number of sends. */
  readonly readRateLimits: RateLimits;
}

/**
 * Authenticates a key, checks its permission and counts the call. @throws Fault auth.*, rate.limited,
 * store.unavailable
 */
export async function openKey(
  { authenticator, readRateLimits }: OpenKeyOptions,
  { apiKey, clientAddress }: KeyHolder,
  { peerAddress, audit }: Pick<HandlerContext, "peerAddress" | "audit">,
  demand: Pick<KeyDemand, "kind" | "scope">,
): Promise<OpenedKey> {
  const client = clientAddress || peerAddress;
  const key = await authenticator.authenticate(apiKey, {
    ...demand,
    clientAddress: client,
    // A service that calls the core directly sends no client address.
    surface: clientAddress === "" ? "grpc" : "http",
    isOperation: true,
  });
  return {
    key,
    rateLimits: await readRateLimits.consume(key._id, key.accountId),
    audit: { ...audit, actor: actorOf(key), clientAddress: client },
  };
}

const actorOf = ({ _id: id, name, prefix }: KeyDocument) => ({
  kind: "key" as const,
  id,
  name: name || prefix,
});
