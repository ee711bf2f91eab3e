import type { FactorName, SessionDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";

/** A second factor that a user can show. */
export type SecondFactor = Extract<FactorName, "totp" | "recovery_code" | "passkey">;

const FIRST: readonly FactorName[] = ["password", "oidc"];
const SECOND: readonly FactorName[] = ["totp", "recovery_code"];

/**
 * Whether a session has shown two factors. A passkey that verifies its user counts as two (NIST SP 800-63B section
 * 5.1.8).
 */
export function hasTwoFactors({ factors = ["password"] }: Pick<SessionDocument, "factors">): boolean {
  if (factors.includes("passkey")) return true;
  return FIRST.some((one) => factors.includes(one)) && SECOND.some((one) => factors.includes(one));
}

/** The second factors that a user can show; empty: none was set up. */
export async function secondFactorsOf(
  { factors, passkeys }: Pick<Store, "factors" | "passkeys">,
  userId: string,
): Promise<readonly SecondFactor[]> {
  const [hasTotp, hasPasskey] = await Promise.all([factors.hasTotp(userId), passkeys.has(userId)]);
  if (!hasTotp && !hasPasskey) return [];
  const hasCodes = (await factors.countRecoveryCodes(userId)) > 0;
  return [
    ...(hasPasskey ? (["passkey"] as const) : []),
    ...(hasTotp ? (["totp"] as const) : []),
    ...(hasCodes ? (["recovery_code"] as const) : []),
  ];
}
