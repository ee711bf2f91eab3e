import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { refusal } from "./refusal.ts";

/** Host name of a Host header or an authority, without port and brackets, in lower case. */
function hostName(authority: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(authority) ?? /^([^:]*)(?::\d+)?$/.exec(authority);
  return (match?.[1] ?? authority).toLowerCase().replace(/\.$/, "");
}

/** Whether a request is addressed to a host that can only be this one. */
export type TrustsHost = (host: string | undefined) => boolean;

/**
 * Distinguishes the names of the port from names that others can point at it (DNS rebinding). The listening address does not
 * matter, because the port of a container may be published elsewhere. IP addresses are always trusted, because DNS
 * cannot redirect them. A request without Host does not come from a browser.
 * @param names under which the port is served, in addition to localhost
 */
export function createTrustsHost(names: readonly string[]): TrustsHost {
  const known = new Set(["localhost", ...names.map(hostName)]);
  return (host) => {
    if (host === undefined || host === "") return true;
    const name = hostName(host);
    return isIP(name) !== 0 || known.has(name) || name.endsWith(".localhost");
  };
}

/**
 * True for the inbox page itself and for clients that are not browsers. Browsers name the origin of a request
 * in Sec-Fetch-Site, browsers from before 2023 in Origin.
 */
export function isSameOrigin({ headers, protocol }: Pick<FastifyRequest, "headers" | "protocol">): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const own = `${protocol}://${host}`;
  // A browser writes only scheme, host and port.
  return host !== undefined && URL.canParse(own) && origin === new URL(own).origin;
}

/** @throws Refusal admin.cross_origin */
export function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw refusal("admin.cross_origin");
}
