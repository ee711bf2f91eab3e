import type { RelayRules } from "./relay-rules.ts";
import { type Reply, reply } from "./reply.ts";

/** State of a session that decides which extensions and commands are allowed. */
export interface SessionState {
  /** The greeting was sent. */
  readonly isReady: boolean;
  readonly isEnding: boolean;
  readonly inTransaction: boolean;
  /** The session uses TLS. */
  readonly isSecure: boolean;
  /** By a key, or as a client that need not authenticate. */
  readonly isAuthenticated: boolean;
}

const WITHOUT_ARGUMENT = new Set(["DATA", "RSET", "QUIT", "STARTTLS"]);
const NEEDS_TLS = new Set(["MAIL", "RCPT", "DATA", "VRFY"]);

/** Extensions in the reply to EHLO (RFC 5321 section 4.1.1.1). */
export function extensionsOf(
  { isSecure, isAuthenticated }: SessionState,
  { maxBytes, maxRecipients }: Pick<RelayRules, "maxBytes" | "maxRecipients">,
): string[] {
  return [
    "PIPELINING",
    "8BITMIME",
    `SIZE ${maxBytes}`,
    "SMTPUTF8",
    "ENHANCEDSTATUSCODES",
    "DSN",
    // RFC 9422.
    `LIMITS RCPTMAX=${maxRecipients}`,
    ...(isSecure ? [] : ["STARTTLS"]),
    ...(isSecure && !isAuthenticated ? ["AUTH PLAIN LOGIN"] : []),
  ];
}

/** Protocol name for Received fields (RFC 3848, RFC 6531 section 4.3). */
export function protocolOf(
  { isSecure, isAuthenticated }: SessionState,
  isExtended: boolean,
  isUtf8: boolean,
): string {
  const secured = `${isSecure ? "S" : ""}${isAuthenticated ? "A" : ""}`;
  return isUtf8 ? `UTF8SMTP${secured}` : `${isExtended ? "E" : ""}SMTP${secured}`;
}

/**
 * Reply to a command that the session does not allow, regardless of its arguments; undefined: the command is allowed.
 * @param name in upper case
 * @param words the rest of the line
 */
export function refuseCommand(
  name: string,
  words: readonly string[],
  state: SessionState,
): Reply | undefined {
  if (!state.isReady) return reply(554, "5.5.1", "Wait for the greeting before you send commands");
  if (state.isEnding && !state.inTransaction && name !== "QUIT") {
    return reply(421, "4.3.2", "The server is shutting down");
  }
  if (WITHOUT_ARGUMENT.has(name) && words.some(Boolean)) {
    return reply(501, "5.5.4", `${name} does not accept an argument`);
  }
  if (name === "PROXY") return reply(554, "5.7.1", "The PROXY protocol is not accepted from this address");
  if (name === "BDAT" || name === "EXPN") return reply(502, "5.5.1", `${name} is not supported`);
  const isPrivate = state.isSecure || state.isAuthenticated;
  if (NEEDS_TLS.has(name) && !isPrivate) return reply(530, "5.7.0", "Issue STARTTLS first");
  return undefined;
}
