import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  EndOtherSessionsRequest,
  EndOtherSessionsResponseSchema,
  EndSessionRequest,
  EndSessionResponseSchema,
  SignOutRequest,
  SignOutResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, type SessionContext } from "./own-session.ts";

/** Ends the session of the call. */
export function createSignOut({ store }: Pick<SessionNeeds, "store">) {
  return async (
    _request: SignOutRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof SignOutResponseSchema>> => {
    const { userId, _id } = await ownSession(store, context);
    await store.sessions.endOne(userId, _id, context.audit);
    return {};
  };
}

/** Ends one of the user's sessions; a session of another user is unknown. */
export function createEndSession({ store }: Pick<SessionNeeds, "store">) {
  return async (
    { sessionId }: EndSessionRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof EndSessionResponseSchema>> => {
    const { userId } = await ownSession(store, context);
    if (await store.sessions.endOne(userId, sessionId, context.audit)) return {};
    throw fault("session.unknown", { public: say("you_no_session", { id: sessionId }) });
  };
}

/** Ends all of the user's sessions except that of the call. */
export function createEndOtherSessions({ store }: Pick<SessionNeeds, "store">) {
  return async (
    _request: EndOtherSessionsRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof EndOtherSessionsResponseSchema>> => {
    const session = await ownSession(store, context);
    const { userId, email, accountId, _id: exceptId } = session;
    const ended = await store.sessions.endAll({ userId, email, accountId, exceptId }, context.audit);
    return { ended };
  };
}
