import { LRUCache } from "lru-cache";
import { fault } from "../shared/fault.ts";

/** Maximum number of accounts with cached functions, a few kilobytes each. Others are recreated within microseconds. */
const MAX_ACCOUNTS = 1_000;

/** Caches the functions of an account, instead of creating them for every call. */
export function rememberAccounts<T extends object>(make: (accountId: string) => T): (accountId: string) => T {
  const kept = new LRUCache<string, T>({ max: MAX_ACCOUNTS });
  return (accountId) => {
    const known = kept.get(accountId);
    if (known) return known;
    // A filter without an account would be everybody's.
    if (!accountId) throw fault("internal.error", { internal: "no account id was given" });
    const account = make(accountId);
    kept.set(accountId, account);
    return account;
  };
}
