import { type Commit, openCommitRecord } from "./commit-record.ts";
import { describeLoss, keepLog, type LostCommits } from "./lost-commits.ts";

interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    run(cells: readonly number[]): unknown;
    get(cells: readonly number[]): unknown[] | undefined;
  };
}

/**
 * Counts the commits of a database: in a row, as part of each commit, and in the record beside it. It first compares the
 * commits of the database with the acknowledged ones.
 * @param acceptedLoss number of the last existing commit, with which an operator accepts the loss of later commits
 * @throws Error with the missing commits, and leaves the record unchanged
 */
export function countCommits(database: Database, file: string, acceptedLoss: number | undefined) {
  const record = openCommitRecord(`${file}-commits`);
  try {
    const present = lastCommit(database);
    const acknowledged = record.last;
    let lost: LostCommits | undefined;
    if (acknowledged !== undefined && acknowledged.number > present.number) {
      // Before anything is written, because that would overwrite the rest of the log.
      lost = { present, acknowledged, logCopy: keepLog(`${file}-wal`) };
      if (acceptedLoss !== present.number) {
        throw new Error(
          `${describeLoss(lost)} Restore the files, or set HERMOD_ACCEPT_DATA_LOSS=${present.number} to continue without these commits.`,
        );
      }
    }
    database.exec("CREATE TABLE IF NOT EXISTS commits (number INTEGER NOT NULL, at INTEGER NOT NULL)");
    if (database.prepare("SELECT 1 FROM commits").get([]) === undefined) {
      database.exec("INSERT INTO commits VALUES (0, 0)");
    }
    record.write(present);
    const statement = database.prepare("UPDATE commits SET number = ?, at = ?");
    let last = present;
    let next = present;
    return {
      /** undefined: nothing is missing. */
      lost,
      /** Within the transaction, as its last statement. */
      raise: (): void => {
        next = { number: last.number + 1, at: Date.now() };
        statement.run([next.number, next.at]);
      },
      /** After the commit, before any reply. */
      raised: (): void => {
        last = next;
        record.write(last);
      },
      close: () => record.close(),
    };
  } catch (error) {
    record.close();
    throw error;
  }
}

function lastCommit(database: Database): Commit {
  const nothing = { number: 0, at: 0 };
  // A new database, and one of an earlier release, has no such table.
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'commits'").get([]);
  if (table === undefined) return nothing;
  const [number, at] = database.prepare("SELECT number, at FROM commits").get([]) ?? [];
  return typeof number === "number" && typeof at === "number" ? { number, at } : nothing;
}
