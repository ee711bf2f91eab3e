import type { Store } from "../../store/store.ts";
import type { Passwords } from "../access/passwords.ts";
import type { SignInThrottle } from "../access/sign-in-throttle.ts";
import type { Dependencies } from "../dependencies.ts";

/** What signing in and its siblings need. */
export interface SessionNeeds extends Pick<Dependencies, "clock"> {
  readonly store: Pick<Store, "accounts" | "forAccount" | "acrossAccounts" | "sessions" | "users">;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
}
