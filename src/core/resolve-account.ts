import type { AccountStore, Store } from "../store/store.ts";

/**
 * What the account has that a request is made for. An id that is empty stands for the only account that there is.
 * @throws Fault account.unknown
 */
export async function resolveAccount(
  { accounts, forAccount }: Pick<Store, "accounts" | "forAccount">,
  { accountId }: { readonly accountId: string },
): Promise<AccountStore> {
  const { _id } = await accounts.resolve(accountId);
  return forAccount(_id);
}
