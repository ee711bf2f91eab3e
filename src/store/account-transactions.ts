import type { ClientSession, Db } from "mongodb";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Runs a transaction of an account after those of the same account that this process has begun before it. For what all change
 * one document, as a count: they would be in each other's way otherwise, and most of them begin again and again.
 * @throws Fault store.unavailable, and whatever `work` throws
 */
export type AccountTransactions = <T>(
  accountId: string,
  work: (session: ClientSession) => Promise<T>,
) => Promise<T>;

export function createAccountTransactions(db: Db): AccountTransactions {
  /** The last of each account; it goes when it is over and no other has come. */
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
