import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReauthenticateRequest,
  ReauthenticateResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";
import { createProveFactor, readProof } from "./prove-factor.ts";

/**
 * Verifies any factor of the user again. The session continues with a new token.
 *
 * @throws Fault auth.credentials_invalid, auth.factor_invalid, auth.throttled, service.busy,
 *   request.validation_failed
 */
export function createReauthenticate(needs: SessionNeeds) {
  const { store, clock } = needs;
  const proveFactor = createProveFactor(needs);
  return async (
    request: ReauthenticateRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ReauthenticateResponseSchema>> => {
    const session = await ownSession(store, context);
    const proof = readProof(request);
    const clientAddress = context.identity?.clientAddress ?? "";
    const factor = await proveFactor(proof, { session, clientAddress });
    const factors = [...new Set([...(session.factors ?? ["password" as const]), factor])];
    return { token: await renewSession(store, session, { authenticatedAt: clock.now(), factors }, context) };
  };
}
