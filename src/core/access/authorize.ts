import type { Authorize, Principal, SessionStage } from "../../rpc/caller-identity.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { MemberDocument, SessionDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { roles } from "./roles.ts";
import { hasTwoFactors } from "./second-factor.ts";
import { idleEnd, isRecent } from "./session-life.ts";

export interface AuthorizeOptions {
  readonly store: Pick<Store, "accounts" | "forAccount" | "sessions">;
  readonly clock: Clock;
  /** True: finding a session counts as a use, which extends it. */
  readonly isUse?: boolean;
}

/** Minimum interval between updates of a session's latest use. */
const TOUCH_MS = 60_000;
/** Minimum interval between updates of a member's latest use of the account. */
const TOUCH_MEMBER_MS = 60 * 60_000;
/** A longer token does not exist. */
const MAX_TOKEN_LENGTH = 200;

/**
 * Every call for a session passes this check, so that an incomplete session permits only the operations that complete
 * it.
 * @throws Fault auth.second_factor_required, auth.password_change_required
 */
function requireStage(
  { secondFactorPending, mustChangePassword }: SessionDocument,
  stage: SessionStage,
): void {
  if (stage === "begun") return;
  if (secondFactorPending) {
    if (stage !== "before_second_factor") throw fault("auth.second_factor_required");
  } else if (mustChangePassword && stage !== "before_password_change") {
    throw fault("auth.password_change_required");
  }
}

/** Reads session and role for each call, so that a removed permission is effective in the next call. */
export function createAuthorize({ store, clock, isUse = true }: AuthorizeOptions): Authorize {
  /** @throws Fault auth.session_missing, auth.session_invalid */
  async function find(token: string, now: Date): Promise<SessionDocument> {
    if (token === "") throw fault("auth.session_missing");
    const found = token.length > MAX_TOKEN_LENGTH ? null : await store.sessions.findByHash(hashSecret(token));
    if (!found || found.endsAt <= now || found.expireAt <= now) throw fault("auth.session_invalid");
    return found;
  }

  async function touch({ _id, seenAt, endsAt }: SessionDocument, now: Date): Promise<void> {
    if (now.getTime() - seenAt.getTime() < TOUCH_MS) return;
    await store.sessions.touch(_id, { seenAt: now, expireAt: idleEnd(now, endsAt) });
  }

  /** The user's membership of the session's account; null: there is no account or no membership. */
  async function standing({ accountId, userId }: SessionDocument) {
    if (accountId === "") return null;
    const [member, demands] = await Promise.all([
      store.forAccount(accountId).members.find(userId),
      store.accounts.demandsOf(accountId),
    ]);
    return member && demands && { ...demands, ...member };
  }

  /** Records the use of the account. */
  async function touchMember({ accountId, userId, seenAt }: MemberDocument, now: Date): Promise<void> {
    if (seenAt && now.getTime() - seenAt.getTime() < TOUCH_MEMBER_MS) return;
    await store.forAccount(accountId).members.touch(userId, now);
  }

  return async ({ session: token }, permission, stage = "complete", needsReentry = false) => {
    const now = clock.now();
    const session = await find(token, now);
    requireStage(session, stage);
    const { accountId, userId, secondFactorPending, mustChangePassword } = session;
    const member = secondFactorPending ? null : await standing(session);
    // A session that another account had while all sessions of the member ended, and that continues in this one.
    if (member?.signedOutAt && session.authenticatedAt < member.signedOutAt)
      throw fault("auth.session_invalid");
    const principal: Principal = {
      userId,
      name: session.email,
      sessionId: session._id,
      accountId: member ? accountId : "",
      permissions: member && !mustChangePassword ? roles[member.role] : new Set(),
      hasTwoFactors: hasTwoFactors(session),
    };
    if (permission !== undefined) {
      if (member?.requiresSecondFactor && !hasTwoFactors(session)) throw fault("auth.second_factor_missing");
      if (!principal.permissions.has(permission)) {
        throw fault("auth.permission_missing", {
          public: member
            ? say("role_does_not_include", { role: member.role, permission })
            : say("you_do_not_belong_account"),
        });
      }
    }
    if (needsReentry && !isRecent(session.authenticatedAt, now))
      throw fault("auth.reauthentication_required");
    if (isUse) await touch(session, now);
    if (isUse && member) await touchMember(member, now);
    return principal;
  };
}
