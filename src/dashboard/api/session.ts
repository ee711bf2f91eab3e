import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { sessions, type signedIn } from "../../../contracts/dashboard/sessions.ts";
import { call, clientOf } from "./client.ts";

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

export const signIn = (body: { email: string; password: string }) => call(() => client.signIn({ body }));

/** A code of six digits is one of an authenticator app; any other one is a recovery code. */
export const showSecondFactor = (code: string) =>
  call(() => client.showSecondFactor({ body: factorOf(code) }));

export const reauthenticate = (given: { password: string } | { code: string }) =>
  call(() => client.reauthenticate({ body: "code" in given ? factorOf(given.code) : given }));

export const changePassword = (body: { current_password: string; new_password: string }) =>
  call(() => client.changePassword({ body }));

export const switchAccount = (account_id: string) =>
  call(() => client.switchAccount({ body: { account_id } }));

export const signOut = () => call(() => client.signOut({}));

export const beginOidc = () => call(() => client.beginOidc({}));

export async function signInWithPasskey() {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = (await call(() => client.beginPasskeySignIn({}))) as never;
  const response = (await startAuthentication({ optionsJSON })) as never;
  return call(() => client.signInWithPasskey({ body: { response } }));
}

function factorOf(code: string) {
  const given = code.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(given) ? { totp_code: given } : { recovery_code: code.trim() };
}
