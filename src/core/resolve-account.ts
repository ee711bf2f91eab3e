import type { HandlerContext } from "../rpc/callers.ts";
import { SYSTEM_ACCOUNT } from "../shared/system-account.ts";
import type { AccountStore, Store } from "../store/store.ts";

/**
 * Store of the account of a request. An empty id stands for the only account.
 * @param context set by methods that the operator may call for the system account; missing: the system account is
 *   unknown
 * @throws Fault account.unknown
 */
export async function resolveAccount(
  { accounts, forAccount }: Pick<Store, "accounts" | "forAccount">,
  { accountId }: { readonly accountId: string },
  context?: Pick<HandlerContext, "actor">,
): Promise<AccountStore> {
  if (accountId === SYSTEM_ACCOUNT && context?.actor === "operator") return forAccount(SYSTEM_ACCOUNT);
  const { _id } = await accounts.resolve(accountId);
  return forAccount(_id);
}
