// Fetch Metadata, or Origin, shows the origin of a request. No token must be stored and compared, and a program sends
// the Origin of a page.

import type { FastifyRequest } from "fastify";
import { fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const EVENT_STREAM = "text/event-stream";

interface SameOriginOptions {
  /** Where browsers reach this installation; undefined: only under the host that the request names. */
  readonly home: string | undefined;
  /** A request without one can do nothing in anybody's name. */
  readonly hasSession: boolean;
  /** It opens a stream of events, which is held to this, too, though it changes nothing (false). */
  readonly isStream?: boolean;
}

/**
 * Refuses what another site has a browser do with the session of its user. Browsers say themselves where a request comes
 * from (Fetch Metadata); those that do not, as over plain HTTP, name the origin of what changes anything.
 * @throws Fault request.cross_site
 */
export function checkSameOrigin(
  { method, headers, protocol, host }: Pick<FastifyRequest, "method" | "headers" | "protocol" | "host">,
  { home, hasSession, isStream = false }: SameOriginOptions,
): void {
  if (SAFE_METHODS.has(method) && !isStream) return;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site === "same-origin") return;
    throw crossSite(say("request_comes_from_elsewhere_sec_fetch", { site }));
  }
  const { origin } = headers;
  if (origin === undefined) {
    // Nothing else that another site has a browser ask for says so, without naming its origin.
    if (!hasSession || (isStream && headers.accept === EVENT_STREAM)) return;
    throw crossSite(say("request_says_neither_sec_fetch_site"));
  }
  if (origin === home || (isOrigin(origin) && origin === originOf(`${protocol}://${host}`))) return;
  throw crossSite(say("request_comes_from_not_installation", { given: origin }));
}

/** True for scheme, host and port as browsers write them (RFC 6454 section 6.2), without user name, path or default port. */
function isOrigin(text: string): boolean {
  return originOf(text) === text;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function crossSite(reason: FaultText) {
  return fault("request.cross_site", { public: reason });
}
