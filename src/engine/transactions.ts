/**
 * Multi-document transactions with snapshot isolation. A transaction's changes are kept as a list of row changes. Each of its
 * statements runs within a SQLite savepoint: first the rows are restored to their state when the transaction began (later
 * commits of others are undone), then its own changes are repeated; afterwards the savepoint is rolled back. Commands therefore
 * read and write as usual, other sessions never wait, and nothing is visible before the commit. The first commit wins: a
 * transaction that changes a document which another one has changed since gets WriteConflict and must begin again. The cost
 * grows with the changes of others while a transaction is open: one that stays open for more than MAX_OTHERS of them (or
 * MAX_OTHERS_BYTES), or MAX_AGE_MS, is aborted.
 */
import { CommandError, writeConflict } from "./errors.ts";
import type { SqliteFile } from "./storage/database.ts";
import type { RowChange, Rows } from "./storage/rows.ts";

const MAX_OTHERS = 50_000;
const MAX_OTHERS_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 60_000;

export interface Transaction {
  readonly session: string;
  readonly number: number;
  readonly startedAt: number;
  readonly changes: RowChange[];
  /** Changes by others since it began: outside transactions, or by committed ones. */
  readonly others: RowChange[];
  othersBytes: number;
  /** The connection of its last statement: when that is lost, the transaction ends. */
  connection: number;
  /** A statement failed, which ends the transaction. */
  failed: boolean;
}

export function createTransactions(file: SqliteFile, rows: Rows, now: () => number) {
  const open = new Map<string, Transaction>();
  const notifyOpen = (changes: readonly RowChange[]) => {
    for (const transaction of open.values()) {
      for (const change of changes) {
        transaction.others.push(change);
        transaction.othersBytes += sizeOf(change);
      }
    }
  };
  rows.note = notifyOpen;

  const abort = (transaction: Transaction) => {
    if (open.get(transaction.session) === transaction) open.delete(transaction.session);
  };
  const abortWhere = (lost: (transaction: Transaction) => boolean) => {
    for (const transaction of open.values()) if (lost(transaction)) abort(transaction);
  };

  return {
    begin: (session: string, number: number, connection: number): Transaction => {
      const transaction: Transaction = {
        session,
        number,
        startedAt: now(),
        changes: [],
        others: [],
        othersBytes: 0,
        connection,
        failed: false,
      };
      open.set(session, transaction);
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
      const { others } = transaction;
      const changes: RowChange[] = [];
      rows.note = (more) => changes.push(...more);
      try {
        return file.inSavepoint(false, () => {
          rows.undo(others);
          rows.redo(transaction.changes);
          const result = statement();
          if (conflicts(changes, others)) throw writeConflict();
          transaction.changes.push(...changes);
          return result;
        });
      } finally {
        rows.note = notifyOpen;
      }
    },
    commit: (transaction: Transaction): void => {
      const { changes, others } = transaction;
      try {
        if (conflicts(changes, others)) throw writeConflict();
        if (changes.length > 0) file.inSavepoint(true, () => rows.redo(changes));
      } finally {
        abort(transaction);
      }
      notifyOpen(changes);
    },
    abort,
    abortSession: (session: string) => abortWhere((transaction) => transaction.session === session),
    abortConnection: (connection: number) =>
      abortWhere((transaction) => transaction.connection === connection),
    abortExpired: () => abortWhere((transaction) => now() - transaction.startedAt > MAX_AGE_MS),
    abortAll: () => abortWhere(() => true),
    /** Ends transactions with too many changes by others; called after each group. */
    trim: () =>
      abortWhere(({ others, othersBytes }) => others.length > MAX_OTHERS || othersBytes > MAX_OTHERS_BYTES),
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

/** True if both lists change the same document. */
function conflicts(mine: readonly RowChange[], others: readonly RowChange[]): boolean {
  if (mine.length === 0 || others.length === 0) return false;
  const changed = new Set<string>();
  for (const change of others) if (!("index" in change)) changed.add(documentOf(change));
  return mine.some((change) => !("index" in change) && changed.has(documentOf(change)));
}

function documentOf(change: Exclude<RowChange, { index: unknown }>): string {
  return `${change.collection.id}:${change.idKey.toString("latin1")}`;
}
