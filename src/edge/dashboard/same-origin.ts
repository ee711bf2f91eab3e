import type { FastifyRequest } from "fastify";
import { fault } from "../../shared/fault.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses what another site has a browser do with the session of its user. Browsers say themselves where a request comes
 * from (Fetch Metadata); those that do not, as over plain HTTP, name the origin of what changes anything.
 * @param home where browsers reach this installation; undefined: only under the host that the request names
 * @param hasSession a request without one can do nothing in anybody's name
 * @throws Fault request.cross_site
 */
export function checkSameOrigin(
  { method, headers, host }: Pick<FastifyRequest, "method" | "headers" | "host">,
  { home, hasSession }: { readonly home: string | undefined; readonly hasSession: boolean },
): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site === "same-origin") return;
    throw crossSite(`The request comes from elsewhere (Sec-Fetch-Site: ${site}).`);
  }
  const { origin } = headers;
  if (origin === undefined) {
    if (!hasSession) return;
    throw crossSite("The request says neither by Sec-Fetch-Site nor by Origin where it comes from.");
  }
  if (origin === home || hostOf(origin) === host) return;
  throw crossSite(`The request comes from ${origin}, which is not this installation.`);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function crossSite(reason: string) {
  return fault("request.cross_site", { public: `${reason} Nothing was changed.` });
}
