import type { Metadata } from "@grpc/grpc-js";

/** The client for which a front end calls. */
export interface Behalf {
  /** The token of a dashboard session; empty: the client has shown none. */
  readonly session: string;
  /** The client's IP address; empty: it is not known. */
  readonly clientAddress: string;
  /** What the client says it is (User-Agent); empty: nothing. */
  readonly clientAgent: string;
}

/** The holder of a session, as the core found it for one call. */
export interface Principal {
  readonly userId: string;
  /** The e-mail address. */
  readonly name: string;
  readonly sessionId: string;
  /** The account that the session looks at; empty: its user belongs to none. */
  readonly accountId: string;
  /** What the user's role in that account allows, as `resource.verb`. */
  readonly permissions: ReadonlySet<string>;
  /** Whether two factors were shown in the session. */
  readonly hasTwoFactors: boolean;
}

/**
 * Sessions that a call admits besides complete ones. A session is complete when it waits neither for a second factor nor
 * for a new password.
 *
 * - `complete`: no others
 * - `before_second_factor`: sessions that wait for their second factor
 * - `before_password_change`: sessions with an initial password that must be replaced
 * - `begun`: both
 */
export type SessionStage = "begun" | "before_second_factor" | "before_password_change" | "complete";

/**
 * Finds the holder of a session.
 * @param permission what the call needs; undefined: a session is enough
 * @param stage which incomplete sessions are admitted ("complete": none)
 * @param needsReentry whether a factor must have been shown in the last ten minutes (false)
 * @throws Fault auth.session_missing, auth.session_invalid, auth.second_factor_required, auth.second_factor_missing,
 *   auth.password_change_required, auth.permission_missing, auth.reauthentication_required, store.unavailable
 */
export type Authorize = (
  behalf: Behalf,
  permission: string | undefined,
  stage?: SessionStage,
  needsReentry?: boolean,
) => Promise<Principal>;

const SESSION = "hermod-session";
const ADDRESS = "hermod-client-address";
const AGENT = "hermod-client-agent";
/** Longer ones tell nobody more. */
const MAX_AGENT_LENGTH = 512;

/** Adds a client to the metadata of a call. */
export function presentBehalf(metadata: Metadata, { session, clientAddress, clientAgent }: Behalf): void {
  if (session !== "") metadata.set(SESSION, encodeURIComponent(session));
  if (clientAddress !== "") metadata.set(ADDRESS, clientAddress);
  // Metadata are ASCII, and a header of HTTP may hold anything.
  if (clientAgent !== "") metadata.set(AGENT, encodeURIComponent(clientAgent.slice(0, MAX_AGENT_LENGTH)));
}

/** What `presentBehalf` has added; undefined: nothing. */
export function behalfIn(metadata: Metadata): Behalf | undefined {
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
