import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import {
  accountId,
  emailAddress,
  moment,
  newPassword,
  passkeyOptions,
  passkeyResponse,
  returnTo,
  roleName,
  userId,
} from "./common.ts";

const c = initContract();

const password = (description: string) => z.string().meta({ description, format: "password" });

export const session = z
  .object({
    id: z.string().meta({ description: "Names the session.", examples: ["ses_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    created_at: moment("When it began."),
    seen_at: moment("When it was last used, to the minute."),
    ends_at: moment("When it ends, used or not. Unused for 12 hours it ends before."),
    authenticated_at: moment("When a factor was last shown; dangerous acts want that to be recent."),
    client_address: z.string().meta({ description: "The IP address that it began from." }),
    client_agent: z.string().meta({ description: "The User-Agent that it began with." }),
    current: z.boolean().meta({ description: "Whether it is the session of this request." }),
  })
  .meta({ id: "Session", description: "A browser that somebody is signed in with." });

export const signedIn = z
  .object({
    session,
    user_id: userId,
    email: emailAddress,
    account_id: z.string().meta({
      description: "The account that the session looks at; empty: the user belongs to none.",
      examples: ["acc_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    memberships: z
      .array(z.object({ account_id: accountId, account_name: z.string(), role: roleName }))
      .meta({ description: "All accounts that the user belongs to, the earliest first." }),
    permissions: z.array(z.string()).meta({
      description: "What the user's role in the account allows, as `resource.verb`.",
      examples: [["keys.read", "keys.write"]],
    }),
    must_change_password: z.boolean().meta({
      description:
        "The password is an initial one: the session opens `GET` and `DELETE /api/session` and `POST /api/session/password`, and nothing else, until it is replaced.",
    }),
    second_factor_required: z.boolean().meta({
      description: "The session waits for its second factor, and is good for nothing else, for ten minutes.",
    }),
    second_factors: z.array(z.string()).meta({
      description: "What the user can show besides a password: `passkey`, `totp`, `recovery_code`.",
      examples: [["totp", "recovery_code"]],
    }),
    second_factor_missing: z.boolean().meta({
      description: "The account wants a second factor: nothing else is allowed there before one is set up.",
    }),
    factors: z.array(z.string()).meta({
      description: "What was shown in the session: `password`, `totp`, `recovery_code`, `passkey`, `oidc`.",
      examples: [["password"]],
    }),
    encrypted: z.boolean().meta({
      description: "Whether the session travels encrypted. If not, everybody on the way can take it over.",
    }),
  })
  .meta({ id: "SignedIn", description: "Who is signed in, and what they may do." });

const renewed = { 200: signedIn };

const secondFactor = {
  totp_code: z.string().optional().meta({ description: "Six digits of an authenticator app." }),
  recovery_code: z.string().optional().meta({ description: "One that was not used." }),
  passkey_response: passkeyResponse.optional(),
};

const providerUrl = z
  .object({ url: z.string().meta({ description: "Where the browser is to go." }) })
  .meta({ id: "ProviderUrl", description: "Where the provider is." });

export const sessions = c.router({
  signIn: {
    method: "POST",
    path: "/api/session",
    summary: "Sign in",
    description:
      "Begins a session, whose token comes as a cookie. An unknown address is answered as a wrong password is, after the same work.",
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
    summary: "See how people sign in here",
    description: "For the page that they do so on.",
    ...reading({
      access: "anyone",
      success: {
        200: z
          .object({
            passkeys: z.boolean(),
            oidc_name: z.string().meta({ description: "What the provider is called; empty: there is none." }),
            password_reset: z.boolean().meta({ description: "Forgotten passwords are replaced by mail." }),
            sign_up: z.boolean().meta({ description: "Strangers may sign up." }),
          })
          .meta({ id: "SignInOptions", description: "In which ways people come in." }),
      },
    }),
  },
  showSecondFactor: {
    method: "POST",
    path: "/api/session/second-factor",
    summary: "Show the second factor",
    description: "What a session waits for whose user has one. It goes on under a new token.",
    body: z.strictObject(secondFactor).meta({ id: "ShowSecondFactorRequest", description: "One of these." }),
    ...changing({
      access: "before_second_factor",
      faults: ["auth.factor_invalid", "auth.throttled", "session.complete"],
      success: renewed,
    }),
  },
  beginPasskeySignIn: {
    method: "POST",
    path: "/api/session/passkey/options",
    summary: "Begin to sign in by a passkey",
    description: "What the browser is to have a passkey sign, whoever's it is; it holds for five minutes.",
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
    summary: "Sign in by a passkey",
    description: "Begins a session; a passkey is two factors in one.",
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
    summary: "Begin to show a passkey",
    description: "As second factor, or to show a factor again; it holds for five minutes.",
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
    summary: "Begin to sign in by a provider",
    description: "Says where the browser is to go, and binds the provider's answer to it by a cookie.",
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
    summary: "Begin to link a provider",
    description: "The user signs in by it from then on.",
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
    summary: "Come back from a provider",
    description:
      "Where the provider sends the browser. It goes on to `return_to` of the request in the dashboard, signed in; or, with `fault` and a code, to where people sign in.",
    ...reading({ access: "anyone", success: { 303: c.noBody() } }),
  },
  getSession: {
    method: "GET",
    path: "/api/session",
    summary: "See who is signed in",
    description:
      "The session of the cookie: its user, the accounts of that, and what the role in this one allows.",
    ...reading({ access: "half_signed_in", success: renewed }),
  },
  signOut: {
    method: "DELETE",
    path: "/api/session",
    summary: "Sign out",
    description: "Ends the session and has the browser forget what it kept of the dashboard.",
    ...changing({ access: "half_signed_in", success: { 204: c.noBody() } }),
  },
  switchAccount: {
    method: "POST",
    path: "/api/session/account",
    summary: "Switch to another account",
    description:
      "The session goes on under a new token, and looks at another account that the user belongs to.",
    body: z.strictObject({ account_id: accountId }).meta({ id: "SwitchAccountRequest" }),
    ...changing({ access: "signed_in", faults: ["account.unknown"], success: renewed }),
  },
  reauthenticate: {
    method: "POST",
    path: "/api/session/reauthenticate",
    summary: "Show a factor again",
    description:
      "What dangerous acts ask for (`auth.reauthentication_required`): it holds for ten minutes. The session goes on under a new token.",
    body: z
      .strictObject({ password: password("The user's password.").optional(), ...secondFactor })
      .meta({ id: "ReauthenticateRequest", description: "One of these." }),
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
    description: "Ends all other sessions of the user. This one goes on under a new token.",
    body: z
      .strictObject({
        current_password: password("The password so far."),
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
    description: "The newest hundred of the user's sessions.",
    ...reading({
      access: "signed_in",
      success: {
        200: z.object({ data: z.array(session) }).meta({ id: "SessionList", description: "Sessions." }),
      },
    }),
  },
  endSession: {
    method: "DELETE",
    path: "/api/sessions/:session_id",
    pathParams: z.object({ session_id: z.string() }),
    summary: "End one of your sessions",
    description: "Whoever uses it is signed out at once.",
    ...changing({ access: "signed_in", faults: ["session.unknown"], success: { 204: c.noBody() } }),
  },
  endOtherSessions: {
    method: "POST",
    path: "/api/session/end-others",
    summary: "Sign out everywhere else",
    description: "Ends all sessions of the user but this one.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["auth.reauthentication_required"],
      success: {
        200: z
          .object({ ended: z.int().meta({ description: "How many were ended." }) })
          .meta({ id: "EndedSessions", description: "What was ended." }),
      },
    }),
  },
});
