import type { FastifyReply, FastifyRequest } from "fastify";
import { type Fault, fault } from "../shared/fault.ts";
import { headerValues } from "./header-values.ts";

/**
 * A request of HTTP/1.1 names one host (RFC 9112 section 3.2): servers before this one may have looked at another, so
 * the connection ends with the answer.
 * @returns request.malformed_header, or undefined when all is well
 */
export function checkHost({ raw }: FastifyRequest, reply: FastifyReply): Fault | undefined {
  const hosts = headerValues(raw.rawHeaders, "host");
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersionMinor === 0)) return undefined;
  reply.header("connection", "close");
  return fault("request.malformed_header", {
    public: `A request has one Host header, not ${hosts.length === 0 ? "none" : "several"}.`,
  });
}
