import type { FactorName, SessionDocument } from "../../store/documents.ts";
import { secondFactorsOf } from "../access/second-factor.ts";
import { renewSession } from "../sessions/own-session.ts";
import type { FactorContext, FactorNeeds } from "./needs.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";

/** New codes in the place of all that the user had. */
export async function replaceRecoveryCodes(
  { store, clock }: Pick<FactorNeeds, "store" | "clock">,
  session: SessionDocument,
  { audit }: Pick<FactorContext, "audit">,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => hashOfRecoveryCode(code) ?? []);
  await store.factors.putRecoveryCodes(session, hashes, clock.now(), audit);
  return codes;
}

/** Codes for who has got the first second factor; none for who has some. */
export async function firstRecoveryCodes(
  needs: FactorNeeds,
  session: SessionDocument,
  context: Pick<FactorContext, "audit">,
): Promise<readonly string[]> {
  if ((await needs.store.factors.countRecoveryCodes(session.userId)) > 0) return [];
  return replaceRecoveryCodes(needs, session, context);
}

/**
 * What follows where a factor is taken away: other sessions end, codes go with the last second factor, and what was shown
 * of it counts no more in this session.
 * @returns the session's new token
 */
export async function afterRemoval(
  { store, clock }: FactorNeeds,
  { session, removed }: { readonly session: SessionDocument; readonly removed: FactorName },
  { audit }: Pick<FactorContext, "audit">,
): Promise<string> {
  const { userId, email, accountId, factors = ["password"] } = session;
  const left = await secondFactorsOf(store, userId);
  // Of several passkeys it is not known which was shown.
  const gone: FactorName[] = [removed];
  if (left.length === 0) {
    await store.factors.putRecoveryCodes(session, [], clock.now(), audit);
    gone.push("recovery_code");
  }
  await store.sessions.endAll({ userId, email, accountId, exceptId: session._id }, audit);
  const kept = factors.filter((factor) => !gone.includes(factor));
  return renewSession(store, session, { factors: kept }, { audit });
}
