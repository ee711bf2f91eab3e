import type { FastifyReply, FastifyRequest } from "fastify";
import { type FaultCodeName, faultCodes } from "../../contracts/common/fault-codes.ts";
import { PROBLEM_MEDIA_TYPE, type Problem } from "../../contracts/common/problem.ts";
import { Fault } from "../shared/fault.ts";
import { Refusal, refusal } from "./refusal.ts";

/** Answers a failure as a problem document (RFC 9457); the trace id finds it in the log. */
export function problemReply(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = isClientError(error) ? refusal("admin.request_invalid") : error;
  const body = known instanceof Refusal ? fromRefusal(known, request) : fromFault(Fault.from(known), request);
  const context = { code: body.code, sx_trace_id: body.sx_trace_id, err: error };
  if (body.status >= 500) request.log.error(context, "admin request failed");
  else request.log.debug(context, "admin request refused");

  const wait = error instanceof Fault ? error.retryAfterSeconds : undefined;
  if (wait !== undefined) reply.header("retry-after", String(Math.ceil(wait)));
  // As bytes, because Fastify adds a charset to text, which this media type does not have.
  const bytes = Buffer.from(JSON.stringify(body));
  return reply.code(body.status).header("content-type", PROBLEM_MEDIA_TYPE).send(bytes);
}

/** True for Fastify's errors about a request that it could not read. */
function isClientError(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof Fault || !(error instanceof Error)) return false;
  const status = "statusCode" in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500;
}

/** A problem of the public API, with the additional codes of the admin server. */
type AdminProblem = Omit<Problem, "code"> & { readonly code: FaultCodeName | Refusal["code"] };

function fromRefusal(error: Refusal, request: FastifyRequest): AdminProblem {
  const { code, title, status, message } = error;
  return document(positionOf(request), { code, title, status, detail: message, errors: [...error.errors] });
}

function fromFault(error: Fault, request: FastifyRequest): AdminProblem {
  const { http, title } = faultCodes[error.code];
  // No operation here has a body, so invalid values come from the query.
  const status = http === 422 ? 400 : http;
  const errors = error.errors.map(({ pointer, code, message }) => ({ pointer, code, message }));
  return document(positionOf(request), { code: error.code, title, status, detail: error.public, errors });
}

type Specific = Pick<AdminProblem, "code" | "title" | "status" | "detail" | "errors">;

/** Location of a problem. */
interface Position {
  /** Path of the request; empty if it could not be read. */
  readonly instance: string;
  readonly traceId: string;
}

const positionOf = ({ url, id }: FastifyRequest): Position => ({
  instance: url.split("?", 1)[0] ?? "/",
  traceId: id,
});

/** The problem document of an unreadable request. */
export function unreadableProblem({ code, public: detail }: Fault, traceId: string): AdminProblem {
  const { http: status, title } = faultCodes[code];
  return document({ instance: "", traceId }, { code, title, status, detail, errors: [] });
}

function document({ instance, traceId }: Position, specific: Specific): AdminProblem {
  return { type: `urn:hermod:problem:${specific.code}`, ...specific, instance, sx_trace_id: traceId };
}
