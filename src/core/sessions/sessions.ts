import { SessionService } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, refusals } from "../../rpc/audits.ts";
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

/** Dashboard sessions: started, used and ended by their users. */
export const sessions: Area<SessionNeeds> = defineArea(SessionService, {
  signIn: [FRONT_ENDS, changes("session.sign_in", "email"), createSignIn],
  getSignInOptions: [FRONT_ENDS, READS, createGetSignInOptions],
  beginOidc: [FRONT_ENDS, refusals("session.begin_oidc"), createBeginOidc],
  beginOidcLink: [SIGNED_IN, refusals("session.begin_oidc_link"), createBeginOidcLink],
  finishOidc: [FRONT_ENDS, changes("session.finish_oidc"), createFinishOidc],
  beginPasskeySignIn: [FRONT_ENDS, refusals("session.begin_passkey_sign_in"), createBeginPasskeySignIn],
  signInWithPasskey: [FRONT_ENDS, changes("session.sign_in_with_passkey"), createSignInWithPasskey],
  beginPasskeyProof: [BEFORE_SECOND_FACTOR, refusals("session.begin_passkey_proof"), createBeginPasskeyProof],
  showSecondFactor: [BEFORE_SECOND_FACTOR, changes("session.show_second_factor"), createShowSecondFactor],
  getSession: [HALF_SIGNED_IN, READS, createGetSession],
  checkSession: [
    FRONT_ENDS,
    refusals("session.check", "permission"),
    (needs) => createCheckSession({ authorize: createAuthorize(needs) }),
  ],
  signOut: [HALF_SIGNED_IN, changes("session.sign_out"), createSignOut],
  switchAccount: [SIGNED_IN, changes("session.switch_account", "toAccountId"), createSwitchAccount],
  reauthenticate: [SIGNED_IN, changes("session.reauthenticate"), createReauthenticate],
  changePassword: [BEFORE_PASSWORD_CHANGE, changes("user.change_password"), createChangePassword],
  listSessions: [SIGNED_IN, READS, createListSessions],
  endSession: [SIGNED_IN, changes("session.end", "sessionId"), createEndSession],
  endOtherSessions: [SIGNED_IN, changes("session.end_others"), createEndOtherSessions],
});
