import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { refusal } from "./refusal.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  const family = isIP(plain);
  return family !== 0 && loopback.check(plain, family === 6 ? "ipv6" : "ipv4");
}

/** The host name of a Host header or an authority, without port and brackets, in lower case. */
function hostName(authority: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(authority) ?? /^([^:]*)(?::\d+)?$/.exec(authority);
  return (match?.[1] ?? authority).toLowerCase();
}

/**
 * True unless a connection over loopback was addressed by a name that others can point at loopback (DNS
 * rebinding). A request without Host comes from no browser.
 */
export function isTrustedHost(host: string | undefined, localAddress: string | undefined): boolean {
  if (host === undefined || host === "") return true;
  if (localAddress !== undefined && !isLoopback(localAddress)) return true;
  const name = hostName(host).replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}

/** @throws Refusal admin.host_refused */
export function requireTrustedHost(request: FastifyRequest): void {
  if (!isTrustedHost(request.headers.host, request.socket.localAddress)) throw refusal("admin.host_refused");
}

/**
 * True for the inbox page itself and for clients that are no browsers. Browsers say where a request comes
 * from in Sec-Fetch-Site, those from before 2023 in Origin.
 */
export function isSameOrigin(headers: FastifyRequest["headers"]): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** @throws Refusal admin.cross_origin */
export function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request.headers)) throw refusal("admin.cross_origin");
}
