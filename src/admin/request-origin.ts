import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { refusal } from "./refusal.ts";

/** The host name of a Host header or an authority, without port and brackets, in lower case. */
function hostName(authority: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(authority) ?? /^([^:]*)(?::\d+)?$/.exec(authority);
  return (match?.[1] ?? authority).toLowerCase().replace(/\.$/, "");
}

/** Whether a request is addressed to a host that can only be this one. */
export type TrustsHost = (host: string | undefined) => boolean;

/**
 * Tells what the port is served as from names that others can point at it (DNS rebinding), whatever address it listens on:
 * the port of a container is published elsewhere than where it is opened. Nobody can point an address elsewhere. A
 * request without Host comes from no browser.
 * @param names under which the port is served, besides localhost
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
 * True for the inbox page itself and for clients that are no browsers. Browsers say where a request comes
 * from in Sec-Fetch-Site, those from before 2023 in Origin.
 */
export function isSameOrigin({ headers, protocol }: Pick<FastifyRequest, "headers" | "protocol">): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const own = `${protocol}://${host}`;
  // A browser writes scheme, host and port, and nothing else.
  return host !== undefined && URL.canParse(own) && origin === new URL(own).origin;
}

/** @throws Refusal admin.cross_origin */
export function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw refusal("admin.cross_origin");
}
