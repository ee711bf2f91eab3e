import fastifyCookie, { type CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Used properties of a request. */
export type CookieRequest = Pick<FastifyRequest, "protocol" | "host" | "cookies">;

/** The part of a reply that takes cookies: @ts-rest/fastify types the whole for another version of Fastify. */
export interface CookieSink {
  setCookie(name: string, value: string, options: CookieSerializeOptions): unknown;
  clearCookie(name: string, options: CookieSerializeOptions): unknown;
}

export interface SessionCookie {
  /** The session's token; empty: the request brings none. */
  read(request: CookieRequest): string;
  set(request: CookieRequest, reply: CookieSink, token: string, endsAt: Date): void;
  clear(request: CookieRequest, reply: CookieSink): void;
  /** Whether the session is sent encrypted, as far as known. */
  isEncrypted(request: CookieRequest): boolean;
}

/** Browsers accept a cookie with this prefix only over HTTPS and only from this host (RFC 6265bis section 4.1.3.2). */
const PREFIX = "__Host-";

/**
 * The cookie that a session's token travels in, or another secret of a browser.
 * @param baseUrl where browsers reach this installation; undefined: as the request says
 */
export function createSessionCookie(baseUrl: string | undefined, name = "hermod"): SessionCookie {
  const home = baseUrl === undefined ? undefined : new URL(baseUrl);

  function isEncrypted({ protocol, host }: CookieRequest): boolean {
    // The headers of a TLS proxy may be untrusted.
    return protocol === "https" || (home?.protocol === "https:" && home.host === host);
  }

  // Without HTTPS it has another name: with that prefix signing in would succeed and be forgotten.
  const nameFor = (request: CookieRequest) => (isEncrypted(request) ? `${PREFIX}${name}` : name);
  const attributesFor = (request: CookieRequest) =>
    ({ path: "/", httpOnly: true, sameSite: "lax", secure: isEncrypted(request) }) as const;

  return {
    read: (request) => request.cookies[nameFor(request)] ?? "",
    set: (request, reply, token, endsAt) => {
      reply.setCookie(nameFor(request), token, { ...attributesFor(request), expires: endsAt });
    },
    clear: (request, reply) => {
      reply.clearCookie(nameFor(request), attributesFor(request));
    },
    isEncrypted,
  };
}

/** Makes cookies readable; to be called before the routes are added. */
export async function readCookies(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCookie);
}
