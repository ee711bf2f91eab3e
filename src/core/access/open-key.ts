import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import type { RateLimitState } from "../../shared/fault.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { KeyAuthenticator, KeyDemand } from "./authenticate-key.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Who calls with a key. */
export interface KeyHolder {
  readonly apiKey: string;
  /** Empty: the caller is its own client. */
  readonly clientAddress: string;
}

/** A key that may do what is asked, and its call counted. */
export interface OpenedKey {
  readonly key: KeyDocument;
  readonly rateLimits: RateLimitState[];
  /** What is changed for the key, as the audit log has it. */
  readonly audit: Audit;
}

export interface OpenKeyOptions {
  readonly authenticator: Pick<KeyAuthenticator, "authenticate">;
  /** Those of reading: who asks what became of mail sends no less for it. */
  readonly readRateLimits: RateLimits;
}

/** Finds out whose a key is and whether it may do this, and counts the call. @throws Fault auth.*, rate.limited, store.unavailable */
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
    // A service that calls the core for itself names no client.
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
