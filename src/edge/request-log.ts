import type { FastifyReply, FastifyRequest } from "fastify";
import type { Fault } from "../shared/fault.ts";
import type { Logger } from "../shared/logger.ts";
import { secretKind, secretPrefix } from "../shared/secrets.ts";
import { readApiKey } from "./read-api-key.ts";

export interface RequestLog {
  refused(request: FastifyRequest, failed: Fault): void;
  /** Writes the request's one line, when it is answered. */
  answered(request: FastifyRequest, reply: FastifyReply): void;
}

/** A line for each request, with what an operator asks first: why it was refused, and whose it was. */
export function createRequestLog(log: Logger): RequestLog {
  const codes = new WeakMap<FastifyRequest, string>();

  return {
    refused: (request, { code }) => void codes.set(request, code),
    answered: (request, reply) => {
      if (reply.statusCode < 400 && !log.isLevelEnabled("debug")) return;
      const { method, id: traceId } = request;
      // The route's pattern, not the URL, whose query may hold a key.
      const route = request.routeOptions.url ?? "unknown";
      const line = { method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000, traceId };
      const keyId = request.caller?.keyId;
      if (reply.statusCode < 400) {
        log.debug({ ...line, keyId }, "request");
        return;
      }
      const code = codes.get(request);
      log.info(
        { ...line, code, ...(keyId ? { keyId } : { keyPrefix: prefixOf(request) }) },
        "request refused",
      );
    },
  };
}

/** The beginning of a key that was refused, as the list of keys shows it; undefined when there is none, or a mistyped one. */
function prefixOf(request: FastifyRequest): string | undefined {
  try {
    const key = readApiKey(request);
    return secretKind(key) === undefined ? undefined : secretPrefix(key);
  } catch {
    return undefined;
  }
}
