import { LRUCache } from "lru-cache";
import { fault } from "../shared/fault.ts";

type ForAccount<Collections> = {
  readonly [C in keyof Collections as Collections[C] extends { forAccount: unknown }
    ? C
    : never]: Collections[C] extends { forAccount: (accountId: string) => infer Functions }
    ? Functions
    : never;
};

/** The account functions of each collection that has some. */
export function forAccountOf<Collections extends object>(
  collections: Collections,
  accountId: string,
): ForAccount<Collections> {
  const all = Object.entries(collections).flatMap(([name, collection]) =>
    "forAccount" in collection ? [[name, collection.forAccount(accountId)]] : [],
  );
  return Object.fromEntries(all);
}

type AcrossAccountsOf<Collections> = {
  readonly [C in keyof Collections as Collections[C] extends { acrossAccounts: unknown }
    ? C
    : never]: Collections[C] extends { acrossAccounts: infer Functions } ? Functions : never;
};

/** The functions for all accounts of each collection that has some. */
export function acrossAccountsOf<Collections extends object>(
  collections: Collections,
): AcrossAccountsOf<Collections> {
  const all = Object.entries(collections).flatMap(([name, collection]) =>
    "acrossAccounts" in collection ? [[name, collection.acrossAccounts]] : [],
  );
  return Object.fromEntries(all);
}

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
