import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { signedIn } from "../../../contracts/common/signed-in.ts";
import { sessions } from "../../../contracts/dashboard/sessions.ts";
import { call, callOnce, clientOf } from "./client.ts";

const client = clientOf(sessions);

export type SignedIn = z.output<typeof signedIn>;

/** The session of the page: its user, accounts and permissions. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => call(() => client.getSession({ fetchOptions: { signal } })),
  staleTime: 60_000,
});

/** The ways to sign in that this installation offers. */
export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: ({ signal }) => call(() => client.getSignInOptions({ fetchOptions: { signal } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user's sessions, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => call(() => client.listSessions({ fetchOptions: { signal } })),
});

export const endSession = (session_id: string) => call(() => client.endSession({ params: { session_id } }));
export const endOtherSessions = () => call(() => client.endOtherSessions({}));

/**
 * The current session of the server.
 * @throws Problem if there is none
 */
export const readSession = () => callOnce(() => client.getSession({}));

/** The current session of the server. If it has ended, the user is asked to sign in. */
export const readCurrentSession = () => call(() => client.getSession({}));

export const signIn = (body: { email: string; password: string }) => callOnce(() => client.signIn({ body }));

/** A factor that the user shows: a code, or a passkey of the device. */
export type Factor = { readonly code: string } | "passkey";

export const showSecondFactor = async (factor: Factor) => {
  const body = await proofOf(factor);
  return callOnce(() => client.showSecondFactor({ body }));
};

export const reauthenticate = async (given: { readonly password: string } | Factor) => {
  const body = typeof given === "object" && "password" in given ? given : await proofOf(given);
  return callOnce(() => client.reauthenticate({ body }));
};

export const changePassword = (body: { current_password: string; new_password: string }) =>
  call(() => client.changePassword({ body }));

export const switchAccount = (account_id: string) =>
  callOnce(() => client.switchAccount({ body: { account_id } }));

/**
 * Switches a new session that replaces an ended one to the account that the page shows. A new session starts in the user's
 * first account.
 * @returns undefined if the page shows data of another user, or of an account that the user has left: the page must be reloaded
 */
export async function resume(
  former: Pick<SignedIn, "user_id" | "account_id">,
  session: SignedIn,
): Promise<SignedIn | undefined> {
  if (session.user_id !== former.user_id || session.must_change_password) return undefined;
  if (session.account_id === former.account_id) return session;
  const isMember = session.memberships.some(({ account_id }) => account_id === former.account_id);
  return isMember ? switchAccount(former.account_id) : undefined;
}

export const signOut = () => callOnce(() => client.signOut({}));

/** @param return_to path of the dashboard to open after the provider's response */
export const beginOidc = (return_to?: string) => callOnce(() => client.beginOidc({ query: { return_to } }));

export async function signInWithPasskey() {
  const { options } = await callOnce(() => client.beginPasskeySignIn({}));
  const response = await signByPasskey(options);
  return callOnce(() => client.signInWithPasskey({ body: { response } }));
}

/** A code of six digits is from an authenticator app. Any other code is a recovery code. */
async function proofOf(factor: Factor) {
  if (factor === "passkey") {
    const { options } = await callOnce(() => client.beginPasskeyProof({}));
    return { passkey_response: await signByPasskey(options) };
  }
  const digits = factor.code.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(digits) ? { totp_code: digits } : { recovery_code: factor.code.trim() };
}

async function signByPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  // The contract passes the JSON form of WebAuthn unchanged.
  return (await startAuthentication({ optionsJSON: options as never })) as never;
}

/** Whether browsers can use passkeys at this address. */
export const canUsePasskeys = typeof window !== "undefined" && "PublicKeyCredential" in window;
