import type { AccountStore, AcrossAccounts, Store } from "../store/store.ts";

/** What methods of the operator have of the store. */
export type OperatorStore = Pick<Store, "forAccount" | "acrossAccounts">;

export type OperatorScope = AccountStore | AcrossAccounts;

/**
 * Where something is looked for that the operator asks about: in what the account has that the request names, or everywhere
 * if it names none. Only for methods that are the operator's alone.
 */
export function operatorScope(
  { forAccount, acrossAccounts }: OperatorStore,
  { accountId }: { readonly accountId: string },
): OperatorScope {
  return accountId === "" ? acrossAccounts : forAccount(accountId);
}
