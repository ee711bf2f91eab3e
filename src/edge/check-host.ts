import type { FastifyReply, FastifyRequest } from "fastify";
import { fault } from "../shared/fault.ts";
import { headerValues } from "./header-values.ts";

/**
 * A request of HTTP/1.1 names one host (RFC 9112 section 3.2): servers before this one may have looked at another, so
 * the connection ends with the answer.
 * @throws Fault request.malformed_header
 */
export function checkHost({ raw }: FastifyRequest, reply: FastifyReply): void {
  const hosts = headerValues(raw.rawHeaders, "host");
  if (hosts.length === 1 || (hosts.length === 0 && raw.httpVersionMinor === 0)) return;
  reply.header("connection", "close");
  throw fault("request.malformed_header", {
    public: `A request has one Host header, not ${hosts.length === 0 ? "none" : "several"}.`,
  });
}
