import type { ClientSession, Db } from "mongodb";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Runs a transaction of an account after the transactions of the same account that this process started earlier. For
 * transactions that change one document, such as a count: they would conflict otherwise, and most would be retried
 * repeatedly.
 * @throws Fault store.unavailable, and every error of `work`
 */
export type AccountTransactions = <T>(
  accountId: string,
  work: (session: ClientSession) => Promise<T>,
) => Promise<T>;

export function createAccountTransactions(db: Db): AccountTransactions {
  /** The last transaction of each account. It is removed when it ends without a successor. */
  const last = new Map<string, Promise<unknown>>();

  return (accountId, work) => {
    const before = last.get(accountId);
    const run = () => guarded(inTransaction(db.client, work, { retryDuplicates: true }));
    const running = before ? before.then(run, run) : run();
    const over = running.then(
      () => undefined,
      () => undefined,
    );
    last.set(accountId, over);
    void over.then(() => {
      if (last.get(accountId) === over) last.delete(accountId);
    });
    return running;
  };
}
