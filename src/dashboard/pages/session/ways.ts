import { canUsePasskeys, type SignedIn } from "../../api/session.ts";

/** A way to show that it is the user. `code`: of an authenticator app, or a recovery code. */
export type Way = "password" | "code" | "passkey";

/** Second factors that the user has and that this browser can use. */
export function secondFactorWays({ second_factors }: Pick<SignedIn, "second_factors">): Way[] {
  const hasCode = second_factors.includes("totp") || second_factors.includes("recovery_code");
  const hasPasskey = second_factors.includes("passkey") && canUsePasskeys;
  return [...(hasPasskey ? (["passkey"] as const) : []), ...(hasCode ? (["code"] as const) : [])];
}

/** Every way to show a factor again. The one that the session began with is the first. */
export function againWays(session: Pick<SignedIn, "second_factors" | "factors">): Way[] {
  const others = secondFactorWays(session);
  // A session that began without a password may be of a user who has none.
  return session.factors.includes("password") ? ["password", ...others] : [...others, "password"];
}
