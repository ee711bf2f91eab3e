import { hostName } from "../../dns/names.ts";

/**
 * Whether a policy's patterns name this mail exchange (RFC 8461 section 4.1). A wildcard stands for just the left-most
 * label.
 * @param patterns as `parsePolicy` gives them
 */
export function matchesMx(exchange: string, patterns: readonly string[]): boolean {
  const host = hostName(exchange);
  if (host === undefined) return false;
  const dot = host.indexOf(".");
  const wildcard = dot > 0 ? `*${host.slice(dot)}` : undefined;
  return patterns.some((pattern) => pattern === host || pattern === wildcard);
}
