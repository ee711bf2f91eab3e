import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckSessionRequest,
  CheckSessionResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { Authorize, SessionStage } from "../../rpc/caller-identity.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";

/**
 * Checks whether the session of a call permits an operation: front ends ask before they read the body of a request.
 *
 * @throws Fault auth.session_missing, auth.session_invalid, auth.permission_missing, auth.password_change_required,
 *   auth.second_factor_required, auth.second_factor_missing
 */
export function createCheckSession({ authorize }: { readonly authorize: Authorize }) {
  return async (
    { permission, beforeSecondFactor, beforePasswordChange }: CheckSessionRequest,
    { identity }: Pick<HandlerContext, "identity">,
  ): Promise<MessageInitShape<typeof CheckSessionResponseSchema>> => {
    if (!identity) throw fault("auth.session_missing");
    const stage = stageOf(beforeSecondFactor, beforePasswordChange);
    const needed = permission === "" ? undefined : permission;
    const { sessionId, accountId } = await authorize(identity, needed, stage);
    return { sessionId, accountId };
  };
}

function stageOf(beforeSecondFactor: boolean, beforePasswordChange: boolean): SessionStage {
  if (beforeSecondFactor) return beforePasswordChange ? "begun" : "before_second_factor";
  return beforePasswordChange ? "before_password_change" : "complete";
}
