import type { HandlerContext } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import type { AccountStore, AcrossAccounts, Store } from "../store/store.ts";

/** What methods have of the store for which the operator may leave the account empty. */
export type OperatorStore = Pick<Store, "forAccount" | "acrossAccounts">;

export type OperatorScope = AccountStore | AcrossAccounts;

/** Where a request has something looked for: in what its account has, or everywhere, if the operator names none. */
export function operatorScope(
  { forAccount, acrossAccounts }: OperatorStore,
  { accountId }: { readonly accountId: string },
  { actor }: Pick<HandlerContext, "actor">,
): OperatorScope {
  if (accountId !== "") return forAccount(accountId);
  if (actor === "operator") return acrossAccounts;
  // No caller comes so far: an account that a call is made for is named before.
  throw fault("internal.error", { internal: "a call for an account names no account" });
}
