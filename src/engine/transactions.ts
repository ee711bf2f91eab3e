/**
 * Multi-document transactions with snapshot isolation. A transaction's changes are kept as a list of row changes. Each
 * of its statements runs within a SQLite savepoint in which first the rows are put back to what they were when the
 * transaction began (the changes that others have committed since are undone), then its own changes are made again;
 * afterwards the savepoint is rolled back. Commands therefore read and write as usual, other sessions never wait, and
 * nothing is visible before the commit. The first to commit wins: who changed a document that another has changed
 * since gets WriteConflict and begins again. The price grows with the changes made by others while a transaction is
 * open: one that stays open for more than MAX_HISTORY of them (or MAX_HISTORY_BYTES), or MAX_AGE_MS, is aborted.
 */
import { CommandError, writeConflict } from "./errors.ts";
import type { SqliteFile } from "./storage/database.ts";
import type { RowChange, Rows } from "./storage/rows.ts";

const MAX_HISTORY = 50_000;
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 60_000;

export interface Transaction {
  readonly session: string;
  readonly number: number;
  readonly startedAt: number;
  readonly changes: RowChange[];
  /** The length of the history when it began. */
  readonly snapshot: number;
  /** The connection that sent its last statement: when that is lost, so is the transaction. */
  connection: number;
  /** A statement failed: the transaction ends with it. */
  failed: boolean;
}

export function createTransactions(file: SqliteFile, rows: Rows, now: () => number) {
  const open = new Map<string, Transaction>();
  /** Changes outside transactions or by committed ones, while any is open; the first has the number `base`. */
  const history: RowChange[] = [];
  let base = 0;
  let historyBytes = 0;
  let measured = 0;

  const forget = (count: number) => {
    for (const change of history.splice(0, count).slice(0, measured)) historyBytes -= sizeOf(change);
    measured = Math.max(0, measured - count);
    base += count;
  };
  const settle = () => {
    if (open.size === 0) forget(history.length);
    rows.journal = open.size === 0 ? undefined : history;
  };
  const oldest = () => Math.min(...[...open.values()].map((transaction) => transaction.snapshot));
  const abort = (transaction: Transaction) => {
    if (open.get(transaction.session) === transaction) open.delete(transaction.session);
    settle();
  };
  const abortWhere = (lost: (transaction: Transaction) => boolean) => {
    for (const transaction of [...open.values()]) if (lost(transaction)) abort(transaction);
  };
  const since = (transaction: Transaction) => history.slice(transaction.snapshot - base);

  return {
    begin: (session: string, number: number, connection: number): Transaction => {
      const transaction: Transaction = {
        session,
        number,
        startedAt: now(),
        changes: [],
        snapshot: base + history.length,
        connection,
        failed: false,
      };
      open.set(session, transaction);
      settle();
      return transaction;
    },
    /** The session's open transaction. Throws NoSuchTransaction. */
    current: (session: string, number: number): Transaction => {
      const transaction = open.get(session);
      if (transaction?.number !== number) throw noSuchTransaction(number);
      return transaction;
    },
    /** Runs one statement within a transaction. */
    run: <T>(transaction: Transaction, statement: () => T): T => {
      const others = since(transaction);
      const changes: RowChange[] = [];
      try {
        return file.inSavepoint(false, () => {
          rows.journal = undefined;
          rows.undo(others);
          rows.redo(transaction.changes);
          rows.journal = changes;
          const result = statement();
          if (conflicts(changes, others)) throw writeConflict();
          transaction.changes.push(...changes);
          return result;
        });
      } finally {
        settle();
      }
    },
    commit: (transaction: Transaction): void => {
      try {
        if (conflicts(transaction.changes, since(transaction))) throw writeConflict();
        if (transaction.changes.length > 0) {
          file.inSavepoint(true, () => {
            rows.redo(transaction.changes);
          });
        }
        history.push(...transaction.changes);
      } finally {
        abort(transaction);
      }
    },
    abort,
    abortSession: (session: string) => abortWhere((transaction) => transaction.session === session),
    abortConnection: (connection: number) =>
      abortWhere((transaction) => transaction.connection === connection),
    abortExpired: () => abortWhere((transaction) => now() - transaction.startedAt > MAX_AGE_MS),
    abortAll: () => abortWhere(() => true),
    /** Forgets what no open transaction needs, and ends those that need too much; called after each group. */
    trim: (): void => {
      for (; measured < history.length; measured++) historyBytes += sizeOf(history[measured] as RowChange);
      while (open.size > 0 && (history.length > MAX_HISTORY || historyBytes > MAX_HISTORY_BYTES)) {
        const first = oldest();
        abortWhere((transaction) => transaction.snapshot === first);
        if (open.size > 0) forget(oldest() - base);
      }
      // Moving the rest down is worth it only now and then.
      if (open.size > 0 && oldest() - base > 1000) forget(oldest() - base);
    },
  };
}

function noSuchTransaction(number: number): CommandError {
  return new CommandError(
    251,
    `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is -1`,
    { labels: ["TransientTransactionError"] },
  );
}

function sizeOf(change: RowChange): number {
  if ("index" in change) return change.key.length + 100;
  return change.idKey.length + (change.before?.length ?? 0) + (change.after?.length ?? 0) + 100;
}

/** Both lists change the same document. */
function conflicts(mine: readonly RowChange[], others: readonly RowChange[]): boolean {
  if (mine.length === 0 || others.length === 0) return false;
  const changed = new Set<string>();
  for (const change of others) if (!("index" in change)) changed.add(documentOf(change));
  return mine.some((change) => !("index" in change) && changed.has(documentOf(change)));
}

function documentOf(change: Exclude<RowChange, { index: unknown }>): string {
  return `${change.collection.id}:${change.idKey.toString("latin1")}`;
}
