import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";

/** What signing in and its siblings need. */
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
