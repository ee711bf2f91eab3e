import type { Metadata } from "@grpc/grpc-js";

/** The client for which a front end calls. */
export interface CallerIdentity {
  /** Token of a dashboard session; empty: the client presented none. */
  readonly session: string;
  /** IP address of the client; empty: unknown. */
  readonly clientAddress: string;
  /** User-Agent of the client; empty: none. */
  readonly clientAgent: string;
}

/** Holder of a session, determined by the core for one call. */
export interface Principal {
  readonly userId: string;
  /** E-mail address. */
  readonly name: string;
  readonly sessionId: string;
  /** Selected account of the session; empty: the user belongs to none. */
  readonly accountId: string;
  /** Permissions of the user's role in that account, as `resource.verb`. */
  readonly permissions: ReadonlySet<string>;
  /** Whether two factors were verified in the session. */
  readonly hasTwoFactors: boolean;
}

/**
 * Incomplete sessions that a call admits in addition to complete ones. A session is complete when it waits neither for
 * a second factor nor for a new password.
 *
 * - `complete`: none
 * - `before_second_factor`: sessions that wait for their second factor
 * - `before_password_change`: sessions with an initial password that must be replaced
 * - `begun`: both
 */
export type SessionStage = "begun" | "before_second_factor" | "before_password_change" | "complete";

/**
 * Finds the holder of a session.
 * @param permission required permission; undefined: a session is enough
 * @param stage admitted incomplete sessions ("complete": none)
 * @param needsReentry whether a factor must have been verified in the last ten minutes (false)
 * @throws Fault auth.session_missing, auth.session_invalid, auth.second_factor_required, auth.second_factor_missing,
 * auth.password_change_required, auth.permission_missing, auth.reauthentication_required, store.unavailable
 */
export type Authorize = (
  identity: CallerIdentity,
  permission: string | undefined,
  stage?: SessionStage,
  needsReentry?: boolean,
) => Promise<Principal>;

const SESSION = "hermod-session";
const ADDRESS = "hermod-client-address";
const AGENT = "hermod-client-agent";
/** A longer User-Agent has no further useful information. */
const MAX_AGENT_LENGTH = 512;

/** Adds a client to the metadata of a call. */
export function writeIdentity(
  metadata: Metadata,
  { session, clientAddress, clientAgent }: CallerIdentity,
): void {
  if (session !== "") metadata.set(SESSION, encodeURIComponent(session));
  if (clientAddress !== "") metadata.set(ADDRESS, clientAddress);
  // Metadata are ASCII, but an HTTP header may contain any octets.
  if (clientAgent !== "") metadata.set(AGENT, encodeURIComponent(clientAgent.slice(0, MAX_AGENT_LENGTH)));
}

/** The client added by `presentBehalf`; undefined: none. */
export function identityIn(metadata: Metadata): CallerIdentity | undefined {
  const text = (name: string) => {
    const [value = ""] = metadata.get(name);
    return String(value);
  };
  const [session, clientAddress, clientAgent] = [decoded(text(SESSION)), text(ADDRESS), decoded(text(AGENT))];
  if (session === "" && clientAddress === "" && clientAgent === "") return undefined;
  return { session, clientAddress, clientAgent };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
