import type { FastifyRequest } from "fastify";
import { fault } from "../shared/fault.ts";

/**
 * The API key of a request: `X-API-Key`, `Authorization: Bearer`, or the query parameter `api_key`. The same key in
 * several places is one key.
 * @returns an empty string when there is none
 * @throws Fault auth.key_conflict, auth.key_invalid
 */
export function readApiKey(request: Pick<FastifyRequest, "headers" | "query">): string {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    throw fault("auth.key_invalid", { public: "The Authorization header must be `Bearer` and an API key." });
  }
  const { api_key: inQuery } = request.query as { api_key?: string | string[] };
  const given = [request.headers["x-api-key"], bearer, inQuery]
    .flat()
    .filter((key) => key !== undefined && key !== "");
  const [first = "", ...others] = given;
  if (others.some((other) => other !== first)) throw fault("auth.key_conflict");
  return first;
}
