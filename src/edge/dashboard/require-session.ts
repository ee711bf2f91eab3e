import type { FastifyRequest } from "fastify";
import { fault } from "../../shared/fault.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";
import { createSessionCookie } from "./session-cookie.ts";

/**
 * Lets requests with a complete session pass, for what a session may read and no area of the contract has.
 * @throws Fault auth.session_missing, auth.session_invalid, auth.second_factor_required, auth.password_change_required
 */
export function createRequireSession(core: DashboardParts["core"], baseUrl: string | undefined) {
  const cookie = createSessionCookie(baseUrl);
  const coreFor = createCoreFor({ core, cookie });
  return async (request: FastifyRequest): Promise<void> => {
    if (cookie.read(request) === "") throw fault("auth.session_missing");
    await coreFor(request).sessions.checkSession({});
  };
}
