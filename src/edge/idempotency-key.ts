import type { FastifyRequest } from "fastify";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { headerValues } from "./header-values.ts";

/**
 * The key of a request; empty: it has none. An empty header is malformed, not absent: its sender meant to be safe.
 * @throws Fault request.malformed_header
 */
export function idempotencyKeyOf({ raw }: Pick<FastifyRequest, "raw">): string {
  const [key, ...others] = headerValues(raw.rawHeaders, "idempotency-key");
  if (others.length > 0) {
    const message = say("request_several_idempotency_keys_send_one");
    throw fault("request.malformed_header", { public: message });
  }
  return key === "" ? "\u0000" : (key ?? "");
}
