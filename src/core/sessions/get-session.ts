import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSessionRequest,
  GetSessionResponseSchema,
  ListSessionsRequest,
  ListSessionsResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { MemberDocument } from "../../store/documents.ts";
import { hasTwoFactors, secondFactorsOf } from "../access/second-factor.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, type SessionContext, toSession } from "./own-session.ts";

/**
 * Returns the session of the call with its user and permissions, without account data while it waits for a second
 * factor or a new password.
 */
export function createGetSession({ store }: Pick<SessionNeeds, "store">) {
  return async (
    _request: GetSessionRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof GetSessionResponseSchema>> => {
    const session = await ownSession(store, context);
    const isPending = session.secondFactorPending ?? false;
    const isComplete = !isPending && !session.mustChangePassword;
    const members = isComplete ? await store.acrossAccounts.members.ofUser(session.userId) : [];
    const names = await store.accounts.namesOf(members.map(({ accountId }) => accountId));
    const { accountId = "", permissions = [] } = (isComplete ? context.principal : undefined) ?? {};
    return {
      session: toSession(session, session._id),
      userId: session.userId,
      email: session.email,
      accountId,
      memberships: members.map((member) => toMembership(member, names)),
      permissions: [...permissions],
      mustChangePassword: session.mustChangePassword ?? false,
      secondFactorRequired: isPending,
      secondFactors: [...(await secondFactorsOf(store, session.userId))],
      secondFactorMissing:
        accountId !== "" &&
        !hasTwoFactors(session) &&
        (await store.accounts.demandsOf(accountId))?.requiresSecondFactor === true,
      factors: [...(session.factors ?? ["password"])],
    };
  };
}

function toMembership({ accountId, role }: MemberDocument, names: ReadonlyMap<string, string>) {
  return { accountId, accountName: names.get(accountId) ?? "", role };
}

/** Lists the sessions of the user, newest first. */
export function createListSessions({ store }: Pick<SessionNeeds, "store">) {
  return async (
    _request: ListSessionsRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ListSessionsResponseSchema>> => {
    const current = await ownSession(store, context);
    const all = await store.sessions.listOfUser(current.userId);
    return { sessions: all.map((session) => toSession(session, current._id)) };
  };
}
