import type { FastifyReply, FastifyRequest } from "fastify";
import type { Fault, KeyOwner } from "../shared/fault.ts";
import type { Logger } from "../shared/logger.ts";
import { secretKind, secretPrefix } from "../shared/secrets.ts";
import { readApiKey } from "./read-api-key.ts";
import type { RequestCollector } from "./request-collector.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Result of its submission; null: none. */
    submitted: { readonly messageId: string; readonly replayed: boolean } | null;
    /** Bytes of its body that were read. */
    bodyBytes: number;
  }
}

/** As many as the log has room for: 4 GB. */
const MAX_BYTES = 2 ** 32 - 1;

export interface RequestLog {
  refused(request: FastifyRequest, failed: Fault): void;
  /** Writes the request's one line, when it is answered. */
  answered(request: FastifyRequest, reply: FastifyReply): void;
}

interface Refusal {
  readonly code: string;
  /** The key, where that was refused. */
  readonly key: KeyOwner | undefined;
}

/**
 * Writes a line for each request, with the data that an operator needs first: the reason of a refusal and the account.
 * If the request carried an existing key, the log of its account also has it.
 */
export function createRequestLog(log: Logger, collector: Pick<RequestCollector, "add">): RequestLog {
  const refusals = new WeakMap<FastifyRequest, Refusal>();

  return {
    refused: (request, { code, refusedKey: key }) => void refusals.set(request, { code, key }),
    answered: (request, reply) => {
      collect(collector, request, reply, refusals.get(request));
      if (reply.statusCode < 400 && !log.isLevelEnabled("debug")) return;
      const { method, id: traceId } = request;
      // Pattern of the route, not the URL: the query may contain a key.
      const route = request.routeOptions.url ?? "unknown";
      const line = { method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000, traceId };
      const keyId = request.caller?.keyId;
      if (reply.statusCode < 400) {
        log.debug({ ...line, keyId }, "request");
        return;
      }
      const code = refusals.get(request)?.code;
      log.info(
        { ...line, code, ...(keyId ? { keyId } : { keyPrefix: prefixOf(request) }) },
        "request refused",
      );
    },
  };
}

function collect(
  collector: Pick<RequestCollector, "add">,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal | undefined,
): void {
  const { caller, submitted } = request;
  // A session of the dashboard has no key: what it changes is in the audit log.
  const owner = caller?.apiKey ? caller : refusal?.key;
  if (!owner) return;
  collector.add({
    owner,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    code: refusal?.code ?? "",
    traceId: request.id,
    messageId: submitted?.messageId ?? "",
    durationMs: Math.round(reply.elapsedTime),
    // A connection that is gone has no address any more.
    clientAddress: caller?.clientAddress ?? request.ip ?? "",
    bodyBytes: request.bodyBytes || announcedBytes(request),
    replayed: submitted?.replayed ?? false,
  });
}

/** Announced size of an unread body; 0: none or invalid. */
function announcedBytes({ headers }: FastifyRequest): number {
  const bytes = Number(headers["content-length"] ?? 0);
  return Number.isSafeInteger(bytes) ? Math.min(bytes, MAX_BYTES) : 0;
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
