import { setTimeout as sleep } from "node:timers/promises";
import { type ClientSession, type MongoClient, MongoError } from "mongodb";
import { Fault } from "../shared/fault.ts";
import { isDuplicateKey } from "./store-fault.ts";

export interface TransactionOptions {
  /** A duplicate key from a concurrent transaction causes a retry, because `work` reads the current state. */
  readonly retryDuplicates?: boolean;
}

/** Time for which a transaction is retried after conflicts or the loss of a server. */
const RETRY_MS = 10_000;
/** Maximum pause between two attempts. A random pause makes repeated conflicts less likely. */
const MAX_PAUSE_MS = 50;

/**
 * Runs `work` in one transaction: all of its writes, or none. All operations of `work` must use the session.
 * @throws every error of the driver; nothing is written then, unless the commit was not confirmed
 */
export async function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  { retryDuplicates = false }: TransactionOptions = {},
): Promise<T> {
  const session = client.startSession();
  const beganAt = performance.now();
  try {
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      session.startTransaction();
      try {
        const result = await work(session);
        await session.commitTransaction();
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        const mayBegin = isTransient(error) || (retryDuplicates && isDuplicateKey(error));
        if (!mayBegin || performance.now() - beganAt > RETRY_MS) throw error;
      }
      await sleep(Math.random() * pauseMs);
    }
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

/** A fault has the driver's error as its cause. */
function isTransient(thrown: unknown): boolean {
  const error = thrown instanceof Fault ? thrown.cause : thrown;
  return error instanceof MongoError && error.hasErrorLabel("TransientTransactionError");
}
