import type { CallerIdentity } from "../../rpc/caller-identity.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newSessionToken } from "../../shared/secrets.ts";
import type { FactorName, SessionDocument, UserDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { hasTwoFactors, secondFactorsOf } from "../access/second-factor.ts";
import { absoluteEnd, idleEnd, pendingEnd } from "../access/session-life.ts";

export interface BeginSessionOptions {
  readonly store: Pick<Store, "acrossAccounts" | "factors" | "passkeys" | "sessions">;
  readonly clock: Clock;
}

/** A started session. */
export interface BegunSession {
  /** Not stored, and known only to the client. */
  readonly token: string;
  readonly session: SessionDocument;
}

/**
 * Starts a session for a user who has shown these factors, for the client of the call. For a user with a second
 * factor that was not shown, the session waits for it.
 * @throws Fault store.unavailable
 */
export type BeginSession = (
  user: UserDocument,
  factors: readonly FactorName[],
  context: Pick<HandlerContext, "identity" | "audit">,
) => Promise<BegunSession>;

const MAX_AGENT_LENGTH = 512;

export function createBeginSession({ store, clock }: BeginSessionOptions): BeginSession {
  async function firstAccountOf({ _id }: UserDocument): Promise<string> {
    const [first] = await store.acrossAccounts.members.ofUser(_id);
    return first?.accountId ?? "";
  }

  return async (user, factors, { identity, audit }) => {
    const token = newSessionToken();
    const accountId = await firstAccountOf(user);
    const isPending = !hasTwoFactors({ factors }) && (await secondFactorsOf(store, user._id)).length > 0;
    const session = newSession(user, { token, accountId, factors, isPending, identity, now: clock.now() });
    // The call was unauthenticated until now.
    const actor = { kind: "user", id: user._id, name: user.email } as const;
    await store.sessions.insert(session, { ...audit, actor, sessionId: session._id });
    return { token, session };
  };
}

interface NewSession {
  readonly token: string;
  readonly accountId: string;
  readonly factors: readonly FactorName[];
  readonly isPending: boolean;
  readonly identity: CallerIdentity | undefined;
  readonly now: Date;
}

function newSession(user: UserDocument, begun: NewSession): SessionDocument {
  const { token, accountId, factors, isPending, identity, now } = begun;
  const endsAt = isPending ? pendingEnd(now) : absoluteEnd(now);
  return {
    _id: newId("ses", now),
    hash: hashSecret(token),
    userId: user._id,
    email: user.email,
    accountId,
    ...(user.mustChangePassword && { mustChangePassword: true as const }),
    factors,
    ...(isPending && { secondFactorPending: true as const }),
    createdAt: now,
    seenAt: now,
    authenticatedAt: now,
    clientAddress: identity?.clientAddress ?? "",
    clientAgent: (identity?.clientAgent ?? "").slice(0, MAX_AGENT_LENGTH),
    endsAt,
    expireAt: idleEnd(now, endsAt),
  };
}
