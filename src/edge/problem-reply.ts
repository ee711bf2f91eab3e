import type { FastifyReply, FastifyRequest } from "fastify";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { FaultParams } from "../../contracts/common/fault-texts/fault-params.ts";
import { PROBLEM_MEDIA_TYPE, type Problem } from "../../contracts/common/problem.ts";
import { problemType } from "../../contracts/common/problem-type.ts";
import type { Fault, RateLimitState } from "../shared/fault.ts";
import { withoutSecrets } from "../shared/secrets.ts";

/** The part of a reply that takes headers: @ts-rest/fastify types the whole for another version of Fastify. */
export interface HeaderSink {
  header(name: string, value: string): unknown;
}

/** Minimum wait of a client after a 503. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** Answers with the problem document (RFC 9457) of a fault. */
export function replyWithProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  failed: Fault,
  traceId: string,
): void {
  const { http } = faultCodes[failed.code];
  const body = problemOf(failed, { instance: pathOf(request), traceId });
  const retryAfter = failed.retryAfterSeconds ?? (http === 503 ? UNAVAILABLE_RETRY_SECONDS : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  if (http === 401) reply.header("www-authenticate", challengeOf(request));
  setRateLimitHeaders(reply, failed.rateLimits);
  // As octets: to text Fastify would add a charset, which this media type does not have.
  reply
    .code(http)
    .header("content-type", PROBLEM_MEDIA_TYPE)
    .send(Buffer.from(JSON.stringify(body)));
}

/** How a key is sent (RFC 9110 section 11.6.1): Deliverability Intel takes none as a Bearer token. */
function challengeOf({ url }: Pick<FastifyRequest, "url">): string {
  return `${url.startsWith("/api/deliverability/") ? "ApiKey" : "Bearer"} realm="hermod"`;
}

/** The path that was called, for people to see: some have a key in it. */
export function pathOf({ url }: Pick<FastifyRequest, "url">): string {
  return withoutSecrets(url.split("?", 1)[0] ?? "");
}

/** @param instance the path that was called; empty: it could not be read */
export function problemOf(
  failed: Fault,
  { instance, traceId }: { readonly instance: string; readonly traceId: string },
): Problem {
  const { http, title } = faultCodes[failed.code];
  return {
    type: problemType(failed.code),
    title,
    status: http,
    detail: failed.public,
    ...withParams(failed.text.params),
    instance,
    code: failed.code,
    sx_trace_id: traceId,
    errors: failed.errors.map(({ params, ...error }) => ({ ...error, ...withParams(params) })),
    ...(failed.omittedErrors > 0 && { errors_omitted: failed.omittedErrors }),
    ...(failed.existing && { existing_id: failed.existing.id }),
    ...(failed.existing?.clientId !== undefined && { client_id: failed.existing.clientId }),
    ...(failed.revision !== undefined && { revision: failed.revision }),
    ...(failed.use && { used_by: [...failed.use.users], used_by_count: failed.use.count }),
  };
}

function withParams(params: FaultParams = {}): Pick<Problem, "params"> {
  return Object.keys(params).length > 0 ? { params } : {};
}

/** A limit as named by the core or in a response. */
type NamedLimit = Omit<RateLimitState, "name"> & { readonly name: string };

/** `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers), one item for each limit. */
export function setRateLimitHeaders(reply: HeaderSink, limits: readonly NamedLimit[]): void {
  if (limits.length === 0) return;
  const policies = limits.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`);
  const states = limits.map(
    ({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
  );
  reply.header("ratelimit-policy", policies.join(", "));
  reply.header("ratelimit", states.join(", "));
}
