import { type FastifyInstance, type FastifyServerOptions, fastify } from "fastify";
import type { HttpTimes, secureOptions } from "./https.ts";

/** A server of HTTP, or of HTTPS with HTTP/2. One type stands for both: requests, answers and servers of either have whatever is used of them. */
export function newFastify(
  secure: ReturnType<typeof secureOptions> | undefined,
  { headersMs, checkMs }: HttpTimes,
  options: FastifyServerOptions,
): FastifyInstance {
  if (!secure) {
    const http = {
      // Node's own answer to a request without a Host has no body.
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkMs,
    };
    return fastify({ ...options, http });
  }
  return fastify({ ...(options as object), ...secure }) as unknown as FastifyInstance;
}
