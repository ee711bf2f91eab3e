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
 * Counts the commits of a database: in a row of its own, as part of each, and in the record beside it. Compares first
 * what the database has with what was acknowledged.
 * @param acceptedLoss number of the last commit that is there, by which an operator goes on without those after it
 * @throws Error saying what is missing, and leaves the record as it is
 */
export function countCommits(database: Database, file: string, acceptedLoss: number | undefined) {
  const record = openCommitRecord(`${file}-commits`);
  try {
    const present = lastCommit(database);
    const acknowledged = record.last;
    let lost: LostCommits | undefined;
    if (acknowledged !== undefined && acknowledged.number > present.number) {
      // Before anything is written: that would go over what is left of the log.
      lost = { present, acknowledged, logCopy: keepLog(`${file}-wal`) };
      if (acceptedLoss !== present.number) {
        throw new Error(
          `${describeLoss(lost)} Put the files back as they were, or set HERMOD_ACCEPT_DATA_LOSS=${present.number} to go on without these commits.`,
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
      /** After the commit, before anybody is told of it. */
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
