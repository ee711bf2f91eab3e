import type { SessionDocument } from "../../store/documents.ts";
import { requireRecent } from "../access/grants.ts";
import type { SessionNeeds } from "../sessions/needs.ts";
import { ownSession, type SessionContext } from "../sessions/own-session.ts";
import { securityNotice } from "../system-mail/notices.ts";

export type FactorNeeds = SessionNeeds;
export type FactorContext = SessionContext;

/**
 * The session of a call that changes what lets its user in.
 * @throws Fault auth.session_missing, auth.session_invalid, auth.reauthentication_required
 */
export async function recentSession(
  { store, clock }: Pick<FactorNeeds, "store" | "clock">,
  context: FactorContext,
): Promise<SessionDocument> {
  const session = await ownSession(store, context);
  requireRecent(session, clock.now());
  return session;
}

/** Tells the user of a session what has changed. */
export async function tellUser(
  { systemMail, clock }: Pick<FactorNeeds, "systemMail" | "clock">,
  { email }: Pick<SessionDocument, "email">,
  what: string,
  { behalf }: Pick<FactorContext, "behalf">,
): Promise<void> {
  await systemMail.tell(email, securityNotice({ what, at: clock.now(), behalf }));
}
