import { SessionService } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { FRONT_ENDS, SIGNED_IN } from "../../rpc/callers.ts";
import { createPasswords } from "../access/passwords.ts";
import { createSignInThrottle } from "../access/sign-in-throttle.ts";
import type { Dependencies } from "../dependencies.ts";
import { createChangePassword } from "./change-password.ts";
import { createEndOtherSessions, createEndSession, createSignOut } from "./end-session.ts";
import { createGetSession, createListSessions } from "./get-session.ts";
import type { SessionNeeds } from "./needs.ts";
import { createReauthenticate } from "./reauthenticate.ts";
import { createSignIn } from "./sign-in.ts";
import { createSwitchAccount } from "./switch-account.ts";

/** Sessions of the dashboard: begun, used and ended by their users. */
export const sessions = defineArea({
  service: SessionService,
  callers: {
    signIn: FRONT_ENDS,
    getSession: SIGNED_IN,
    signOut: SIGNED_IN,
    switchAccount: SIGNED_IN,
    reauthenticate: SIGNED_IN,
    changePassword: SIGNED_IN,
    listSessions: SIGNED_IN,
    endSession: SIGNED_IN,
    endOtherSessions: SIGNED_IN,
  },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => {
    const throttle = createSignInThrottle({ failures: store.signInFailures, clock });
    const needs: SessionNeeds = { store, clock, throttle, passwords: createPasswords() };
    return {
      signIn: createSignIn(needs),
      getSession: createGetSession(needs),
      signOut: createSignOut(needs),
      switchAccount: createSwitchAccount(needs),
      reauthenticate: createReauthenticate(needs),
      changePassword: createChangePassword(needs),
      listSessions: createListSessions(needs),
      endSession: createEndSession(needs),
      endOtherSessions: createEndOtherSessions(needs),
    };
  },
});
