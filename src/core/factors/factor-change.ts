import type { FactorName, SessionDocument } from "../../store/documents.ts";
import { secondFactorsOf } from "../access/second-factor.ts";
import { renewSession } from "../sessions/own-session.ts";
import type { FactorContext, FactorNeeds } from "./needs.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";

/** Creates new codes, which replace all of the user's codes. */
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

/** Codes for a user with the first second factor; none if the user already has codes. */
export async function firstRecoveryCodes(
  needs: FactorNeeds,
  session: SessionDocument,
  context: Pick<FactorContext, "audit">,
): Promise<readonly string[]> {
  if ((await needs.store.factors.countRecoveryCodes(session.userId)) > 0) return [];
  return replaceRecoveryCodes(needs, session, context);
}

/**
 * Effects of a removed factor: other sessions end, recovery codes are removed with the last second factor, and the
 * factor no longer counts in this session.
 * @returns the session's new token
 */
export async function afterRemoval(
  { store, clock }: FactorNeeds,
  { session, removed }: { readonly session: SessionDocument; readonly removed: FactorName },
  { audit }: Pick<FactorContext, "audit">,
): Promise<string> {
  const { userId, email, accountId, factors = ["password"] } = session;
  const left = await secondFactorsOf(store, userId);
  // With several passkeys, the passkey of the session is unknown.
  const gone: FactorName[] = [removed];
  if (left.length === 0) {
    await store.factors.putRecoveryCodes(session, [], clock.now(), audit);
    gone.push("recovery_code");
  }
  await store.sessions.endAll({ userId, email, accountId, exceptId: session._id }, audit);
  const kept = factors.filter((factor) => !gone.includes(factor));
  return renewSession(store, session, { factors: kept }, { audit });
}
