import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ShowSecondFactorRequest,
  ShowSecondFactorResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { absoluteEnd, idleEnd } from "../access/session-life.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";
import { createProveFactor, readProof } from "./prove-factor.ts";

/**
 * Verifies the second factor of a session that waits for it. The session continues with a new token.
 *
 * @throws Fault auth.factor_invalid, auth.throttled, session.complete, request.validation_failed
 */
export function createShowSecondFactor(needs: SessionNeeds) {
  const { store, clock } = needs;
  const proveFactor = createProveFactor(needs);
  return async (
    request: ShowSecondFactorRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ShowSecondFactorResponseSchema>> => {
    const session = await ownSession(store, context);
    if (!session.secondFactorPending) throw fault("session.complete");
    const proof = readProof(request);
    const clientAddress = context.identity?.clientAddress ?? "";
    const factor = await proveFactor(proof, { session, clientAddress });
    const now = clock.now();
    const endsAt = absoluteEnd(session.createdAt);
    const changes = {
      factors: [...(session.factors ?? []), factor],
      secondFactorPending: false,
      authenticatedAt: now,
      endsAt,
      expireAt: idleEnd(now, endsAt),
    } as const;
    return { token: await renewSession(store, session, changes, context) };
  };
}
