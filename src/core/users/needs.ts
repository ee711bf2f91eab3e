import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";

/** Dependencies of users, password resets and sign-up. */
export interface UserNeeds
  extends Pick<
    Dependencies,
    "clock" | "passwords" | "throttle" | "systemMail" | "mailThrottle" | "afterwards" | "isSignUpOpen"
  > {
  readonly store: Pick<
    Store,
    "accounts" | "acrossAccounts" | "forAccount" | "mailLinks" | "factors" | "passkeys" | "sessions" | "users"
  >;
}
