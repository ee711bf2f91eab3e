import { SessionService } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, refusals } from "../../rpc/audits.ts";
import {
  BEFORE_PASSWORD_CHANGE,
  BEFORE_SECOND_FACTOR,
  FRONT_ENDS,
  HALF_SIGNED_IN,
  SIGNED_IN,
} from "../../rpc/callers.ts";
import { createAuthorize } from "../access/authorize.ts";
import { createChangePassword } from "./change-password.ts";
import { createCheckSession } from "./check-session.ts";
import { createEndOtherSessions, createEndSession, createSignOut } from "./end-session.ts";
import { createGetSession, createListSessions } from "./get-session.ts";
import type { SessionNeeds } from "./needs.ts";
import { createBeginOidc, createBeginOidcLink, createFinishOidc } from "./oidc-sign-in.ts";
import {
  createBeginPasskeyProof,
  createBeginPasskeySignIn,
  createSignInWithPasskey,
} from "./passkey-sign-in.ts";
import { createReauthenticate } from "./reauthenticate.ts";
import { createShowSecondFactor } from "./show-second-factor.ts";
import { createSignIn } from "./sign-in.ts";
import { createGetSignInOptions } from "./sign-in-options.ts";
import { createSwitchAccount } from "./switch-account.ts";

/** Sessions of the dashboard: begun, used and ended by their users. */
export const sessions = defineArea({
  service: SessionService,
  callers: {
    signIn: FRONT_ENDS,
    getSignInOptions: FRONT_ENDS,
    beginOidc: FRONT_ENDS,
    beginOidcLink: SIGNED_IN,
    finishOidc: FRONT_ENDS,
    beginPasskeySignIn: FRONT_ENDS,
    signInWithPasskey: FRONT_ENDS,
    beginPasskeyProof: BEFORE_SECOND_FACTOR,
    showSecondFactor: BEFORE_SECOND_FACTOR,
    getSession: HALF_SIGNED_IN,
    checkSession: FRONT_ENDS,
    signOut: HALF_SIGNED_IN,
    switchAccount: SIGNED_IN,
    reauthenticate: SIGNED_IN,
    changePassword: BEFORE_PASSWORD_CHANGE,
    listSessions: SIGNED_IN,
    endSession: SIGNED_IN,
    endOtherSessions: SIGNED_IN,
  },
  audits: {
    signIn: changes("session.sign_in", "email"),
    checkSession: refusals("session.check", "permission"),
    showSecondFactor: changes("session.show_second_factor"),
    getSignInOptions: LOOKS,
    beginOidc: refusals("session.begin_oidc"),
    beginOidcLink: refusals("session.begin_oidc_link"),
    finishOidc: changes("session.finish_oidc"),
    beginPasskeySignIn: refusals("session.begin_passkey_sign_in"),
    signInWithPasskey: changes("session.sign_in_with_passkey"),
    beginPasskeyProof: refusals("session.begin_passkey_proof"),
    getSession: LOOKS,
    signOut: changes("session.sign_out"),
    switchAccount: changes("session.switch_account", "toAccountId"),
    reauthenticate: changes("session.reauthenticate"),
    changePassword: changes("user.change_password"),
    listSessions: LOOKS,
    endSession: changes("session.end", "sessionId"),
    endOtherSessions: changes("session.end_others"),
  },
  handlers: (needs: SessionNeeds) => ({
    signIn: createSignIn(needs),
    getSignInOptions: createGetSignInOptions(needs),
    beginOidc: createBeginOidc(needs),
    beginOidcLink: createBeginOidcLink(needs),
    finishOidc: createFinishOidc(needs),
    beginPasskeySignIn: createBeginPasskeySignIn(needs),
    signInWithPasskey: createSignInWithPasskey(needs),
    beginPasskeyProof: createBeginPasskeyProof(needs),
    showSecondFactor: createShowSecondFactor(needs),
    getSession: createGetSession(needs),
    checkSession: createCheckSession({ authorize: createAuthorize(needs) }),
    signOut: createSignOut(needs),
    switchAccount: createSwitchAccount(needs),
    reauthenticate: createReauthenticate(needs),
    changePassword: createChangePassword(needs),
    listSessions: createListSessions(needs),
    endSession: createEndSession(needs),
    endOtherSessions: createEndOtherSessions(needs),
  }),
});
