import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { session, signedIn } from "../common/signed-in.ts";
import {
  accountId,
  emailAddress,
  endedSessions,
  newPassword,
  passkeyOptions,
  passkeyResponse,
  returnTo,
} from "./common.ts";

const c = initContract();

const password = (description: string) => z.string().meta({ description, format: "password" });

const renewed = { 200: signedIn };

const secondFactor = {
  totp_code: z.string().optional().meta({ description: "Six-digit code of an authenticator app." }),
  recovery_code: z.string().optional().meta({ description: "Unused recovery code." }),
  passkey_response: passkeyResponse.optional(),
};

const providerUrl = z
  .object({ url: z.string().meta({ description: "URL that the browser opens." }) })
  .meta({ id: "ProviderUrl", description: "URL of the provider." });

export const sessions = c.router({
  signIn: {
    method: "POST",
    path: "/api/session",
    summary: "Sign in",
    description:
      "Starts a session and sets its token as a cookie. An unknown address gets the same response as a wrong password, after the same amount of work.",
    body: z
      .strictObject({ email: emailAddress, password: password("The user's password.") })
      .meta({ id: "SignInRequest" }),
    ...changing({
      access: "anyone",
      faults: ["auth.credentials_invalid", "auth.throttled"],
      success: renewed,
    }),
  },
  getSignInOptions: {
    method: "GET",
    path: "/api/session/options",
    summary: "Get the sign-in options",
    description: "Returns the sign-in options of the installation, for the sign-in page.",
    ...reading({
      access: "anyone",
      success: {
        200: z
          .object({
            passkeys: z.boolean(),
            oidc_name: z
              .string()
              .meta({ description: "Name of the OpenID Connect provider; empty if there is none." }),
            password_reset: z
              .boolean()
              .meta({ description: "Whether users can reset a forgotten password by mail." }),
            sign_up: z.boolean().meta({ description: "Whether anyone can sign up." }),
          })
          .meta({ id: "SignInOptions", description: "Sign-in options of the installation." }),
      },
    }),
  },
  showSecondFactor: {
    method: "POST",
    path: "/api/session/second-factor",
    summary: "Show the second factor",
    description:
      "Shows the second factor for a session that waits for it. The session continues with a new token.",
    body: z
      .strictObject(secondFactor)
      .meta({ id: "ShowSecondFactorRequest", description: "Exactly one of the fields." }),
    ...changing({
      access: "before_second_factor",
      faults: ["auth.factor_invalid", "auth.throttled", "session.complete"],
      success: renewed,
    }),
  },
  beginPasskeySignIn: {
    method: "POST",
    path: "/api/session/passkey/options",
    summary: "Start to sign in with a passkey",
    description:
      "Returns the options with which the browser has any user's passkey sign. They are valid for five minutes.",
    body: c.noBody(),
    ...changing({
      access: "anyone",
      faults: ["passkey.not_available", "auth.throttled"],
      success: { 200: passkeyOptions },
    }),
  },
  signInWithPasskey: {
    method: "POST",
    path: "/api/session/passkey",
    summary: "Sign in with a passkey",
    description: "Starts a session. A passkey counts as two factors.",
    body: z.strictObject({ response: passkeyResponse }).meta({ id: "SignInWithPasskeyRequest" }),
    ...changing({
      access: "anyone",
      faults: ["auth.factor_invalid", "passkey.not_available"],
      success: renewed,
    }),
  },
  beginPasskeyProof: {
    method: "POST",
    path: "/api/session/passkey-proof",
    summary: "Start to show a passkey",
    description:
      "Returns the options to show a passkey as the second factor, or to show a factor again. They are valid for five minutes.",
    body: c.noBody(),
    ...changing({
      access: "before_second_factor",
      faults: ["passkey.not_available"],
      success: { 200: passkeyOptions },
    }),
  },
  beginOidc: {
    method: "POST",
    path: "/api/session/oidc",
    summary: "Start to sign in with a provider",
    description: "Returns the URL of the provider, and binds its response to the browser with a cookie.",
    query: returnTo,
    body: c.noBody(),
    ...changing({
      access: "anyone",
      faults: ["oidc.not_configured", "oidc.unavailable", "auth.throttled"],
      success: { 200: providerUrl },
    }),
  },
  beginOidcLink: {
    method: "POST",
    path: "/api/session/oidc/link",
    summary: "Start to link a provider",
    description: "Returns the URL of the provider. Once it is linked, the user can sign in with it.",
    query: returnTo,
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["oidc.not_configured", "oidc.unavailable", "auth.reauthentication_required"],
      success: { 200: providerUrl },
    }),
  },
  finishOidc: {
    method: "GET",
    path: "/api/session/oidc/callback",
    summary: "Return from a provider",
    description:
      "Receives the browser from the provider. Redirects to `return_to` of the request with a session, or to the sign-in page with an error code in `fault`.",
    ...reading({ access: "anyone", success: { 303: c.noBody() } }),
  },
  getSession: {
    method: "GET",
    path: "/api/session",
    summary: "Get the session",
    description:
      "Returns the session of the cookie with its user, the user's accounts, and the permissions in the current account.",
    ...reading({ access: "half_signed_in", success: renewed }),
  },
  signOut: {
    method: "DELETE",
    path: "/api/session",
    summary: "Sign out",
    description: "Ends the session and clears the data that the browser stored for the dashboard.",
    ...changing({ access: "half_signed_in", success: { 204: c.noBody() } }),
  },
  switchAccount: {
    method: "POST",
    path: "/api/session/account",
    summary: "Switch to another account",
    description:
      "Switches the session to another account of the user. The session continues with a new token. If a member of that account has ended the user's sessions there, the user must first show a factor again.",
    body: z.strictObject({ account_id: accountId }).meta({ id: "SwitchAccountRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["account.unknown", "auth.reauthentication_required"],
      success: renewed,
    }),
  },
  reauthenticate: {
    method: "POST",
    path: "/api/session/reauthenticate",
    summary: "Show a factor again",
    description:
      "Shows a factor again, for operations that require it (`auth.reauthentication_required`). It is valid for ten minutes. The session continues with a new token.",
    body: z
      .strictObject({ password: password("The user's password.").optional(), ...secondFactor })
      .meta({ id: "ReauthenticateRequest", description: "Exactly one of the fields." }),
    ...changing({
      access: "signed_in",
      faults: ["auth.credentials_invalid", "auth.factor_invalid", "auth.throttled"],
      success: renewed,
    }),
  },
  changePassword: {
    method: "POST",
    path: "/api/session/password",
    summary: "Change the password",
    description:
      "Changes the password and ends all other sessions of the user. This session continues with a new token.",
    body: z
      .strictObject({
        current_password: password("Current password."),
        new_password: newPassword,
      })
      .meta({ id: "ChangePasswordRequest" }),
    ...changing({
      access: "before_password_change",
      faults: ["auth.credentials_invalid", "auth.throttled"],
      success: renewed,
    }),
  },
  listSessions: {
    method: "GET",
    path: "/api/sessions",
    summary: "List your sessions",
    description: "Lists the user's 100 newest sessions.",
    ...reading({
      access: "signed_in",
      success: {
        200: z
          .object({ data: z.array(session) })
          .meta({ id: "SessionList", description: "Sessions of the user." }),
      },
    }),
  },
  endSession: {
    method: "DELETE",
    path: "/api/sessions/:session_id",
    pathParams: z.object({ session_id: z.string() }),
    summary: "End one of your sessions",
    description: "Ends a session at once. Its browser is signed out.",
    ...changing({ access: "signed_in", faults: ["session.unknown"], success: { 204: c.noBody() } }),
  },
  endOtherSessions: {
    method: "POST",
    path: "/api/session/end-others",
    summary: "Sign out everywhere else",
    description: "Ends all sessions of the user except this one.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["auth.reauthentication_required"],
      success: { 200: endedSessions },
    }),
  },
});
