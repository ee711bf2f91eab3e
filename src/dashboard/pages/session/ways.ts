import { canUsePasskeys, type SignedIn } from "../../api/session.ts";

/** A way to prove the user's identity. `code`: from an authenticator app, or a recovery code. */
export type Way = "password" | "code" | "passkey";

/** Second factors of the user that this browser supports. */
export function secondFactorWays({ second_factors }: Pick<SignedIn, "second_factors">): Way[] {
  const hasCode = second_factors.includes("totp") || second_factors.includes("recovery_code");
  const hasPasskey = second_factors.includes("passkey") && canUsePasskeys;
  return [...(hasPasskey ? (["passkey"] as const) : []), ...(hasCode ? (["code"] as const) : [])];
}

/** All ways to show a factor again. The first one is the one with which the session began. */
export function againWays(session: Pick<SignedIn, "second_factors" | "factors">): Way[] {
  const others = secondFactorWays(session);
  // A session that began without a password may belong to a user without one.
  return session.factors.includes("password") ? ["password", ...others] : [...others, "password"];
}
