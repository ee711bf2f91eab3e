import type { SessionDocument } from "../../store/documents.ts";
import type { SessionNeeds } from "../sessions/needs.ts";
import type { SessionContext } from "../sessions/own-session.ts";
import { securityNotice } from "../system-mail/notices.ts";

export type FactorNeeds = SessionNeeds;
export type FactorContext = SessionContext;

/** Notifies the user of a session of a change. */
export async function notifyUser(
  { systemMail, clock }: Pick<FactorNeeds, "systemMail" | "clock">,
  { email }: Pick<SessionDocument, "email">,
  what: string,
  { identity }: Pick<FactorContext, "identity">,
): Promise<void> {
  await systemMail.notify(email, securityNotice({ what, at: clock.now(), identity }));
}
