import type { HandlerContext } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import type { AccountStore, AcrossAccounts, Store } from "../store/store.ts";

/** Store of methods for which the operator may omit the account. */
export type OperatorStore = Pick<Store, "forAccount" | "acrossAccounts">;

export type OperatorScope = AccountStore | AcrossAccounts;

/** Scope of a search: the account of the request, or all accounts if the operator names none. */
export function operatorScope(
  { forAccount, acrossAccounts }: OperatorStore,
  { accountId }: { readonly accountId: string },
  { actor }: Pick<HandlerContext, "actor">,
): OperatorScope {
  if (accountId !== "") return forAccount(accountId);
  if (actor === "operator") return acrossAccounts;
  // Not reachable: an account call always has an account here.
  throw fault("internal.error", { internal: "a call for an account names no account" });
}
