import { hostName } from "../../dns/names.ts";

/**
 * True if the patterns of a policy match this mail exchange (RFC 8461 section 4.1). A wildcard matches exactly the left-most
 * label.
 * @param patterns as returned by `parsePolicy`
 */
export function matchesMx(exchange: string, patterns: readonly string[]): boolean {
  const host = hostName(exchange);
  if (host === undefined) return false;
  const dot = host.indexOf(".");
  const wildcard = dot > 0 ? `*${host.slice(dot)}` : undefined;
  return patterns.some((pattern) => pattern === host || pattern === wildcard);
}
