import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";

/** Dependencies of sign-in and other session methods. */
export interface SessionNeeds
  extends Pick<
    Dependencies,
    "clock" | "passwords" | "throttle" | "systemMail" | "webauthn" | "oidc" | "isSignUpOpen"
  > {
  readonly store: Pick<
    Store,
    | "accounts"
    | "forAccount"
    | "acrossAccounts"
    | "mailLinks"
    | "factors"
    | "identities"
    | "passkeys"
    | "sessions"
    | "users"
  >;
}
