import type { FastifyRequest } from "fastify";
import { fault } from "../shared/fault.ts";
import { headerValues } from "./header-values.ts";

/** RFC 6750 section 2.1, and spaces within the credential: such a credential is a wrong key, and no missing one. */
const BEARER = /^Bearer +(.+)$/i;

/**
 * The API key of a request: `X-API-Key`, `Authorization: Bearer`, or the query parameter `api_key`. The same key in
 * several places, or several times in one, is one key. An `Authorization` without a Bearer credential holds none: generated
 * clients send an empty one, and a proxy on the way may have its own.
 * @returns an empty string when there is none
 * @throws Fault auth.key_conflict
 */
export function readApiKey({ raw: { rawHeaders }, query }: Pick<FastifyRequest, "raw" | "query">): string {
  const authorizations = headerValues(rawHeaders, "authorization").filter((value) => value !== "");
  const bearers = authorizations.flatMap((value) => BEARER.exec(value)?.[1] ?? []);
  // It is unknown which of several headers an earlier server has used.
  if (bearers.length > 0 && bearers.length < authorizations.length) throw fault("auth.key_conflict");
  const { api_key: inQuery = [] } = query as { api_key?: string | string[] };
  return onlyOne(headerKeys(rawHeaders).concat(bearers, inQuery));
}

/**
 * Reads the API key only from `X-API-Key`. Other headers are ignored, because `Authorization` may be for a proxy.
 * @returns an empty string if there is none
 * @throws Fault auth.key_conflict
 */
export function readHeaderKey({ raw: { rawHeaders } }: Pick<FastifyRequest, "raw">): string {
  return onlyOne(headerKeys(rawHeaders));
}

/** Whether a request has an `Authorization` without a key, for the error of a caller without any other key. */
export function hasForeignAuthorization({ raw: { rawHeaders } }: Pick<FastifyRequest, "raw">): boolean {
  return headerValues(rawHeaders, "authorization").some((value) => !BEARER.test(value));
}

/** Some proxies join the values of a header that stands twice. */
function headerKeys(rawHeaders: readonly string[]): string[] {
  return headerValues(rawHeaders, "x-api-key").flatMap((value) => value.split(",").map((key) => key.trim()));
}

/** @throws Fault auth.key_conflict */
function onlyOne(keys: readonly string[]): string {
  const [key = "", ...others] = new Set(keys.filter((given) => given !== ""));
  if (others.length > 0) throw fault("auth.key_conflict");
  return key;
}
