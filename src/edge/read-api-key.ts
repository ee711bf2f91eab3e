import type { FastifyRequest } from "fastify";
import { fault } from "../shared/fault.ts";
import { headerValues } from "./header-values.ts";

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The API key of a request: `X-API-Key`, `Authorization: Bearer`, or the query parameter `api_key`. The same key in
 * several places, or several times in one, is one key.
 * @returns an empty string when there is none
 * @throws Fault auth.key_conflict, auth.key_invalid
 */
export function readApiKey({ raw: { rawHeaders }, query }: Pick<FastifyRequest, "raw" | "query">): string {
  const bearers = headerValues(rawHeaders, "authorization").map((value) => BEARER.exec(value)?.[1]);
  if (bearers.includes(undefined)) {
    // Which of several a server before this one has looked at cannot be told.
    if (bearers.length > 1) throw fault("auth.key_conflict");
    throw fault("auth.key_invalid", { public: "The Authorization header must be `Bearer` and an API key." });
  }
  const { api_key: inQuery = [] } = query as { api_key?: string | string[] };
  return onlyOne(headerKeys(rawHeaders).concat(bearers as string[], inQuery));
}

/**
 * The API key in `X-API-Key` alone. What else a request carries is none: `Authorization` may be for a proxy on the way.
 * @returns an empty string when there is none
 * @throws Fault auth.key_conflict
 */
export function readHeaderKey({ raw: { rawHeaders } }: Pick<FastifyRequest, "raw">): string {
  return onlyOne(headerKeys(rawHeaders));
}

/** Some proxies join the values of a header that stands twice. */
function headerKeys(rawHeaders: readonly string[]): string[] {
  return headerValues(rawHeaders, "x-api-key").flatMap((value) => value.split(/ *, */));
}

/** @throws Fault auth.key_conflict */
function onlyOne(keys: readonly string[]): string {
  const [key = "", ...others] = new Set(keys.filter((given) => given !== ""));
  if (others.length > 0) throw fault("auth.key_conflict");
  return key;
}
