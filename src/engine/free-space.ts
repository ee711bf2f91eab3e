import { CommandError } from "./errors.ts";
import type { SqliteFile } from "./storage/database.ts";

/** Size of a trial write: less may be left by removals, and be used up by the next message. */
const TRIAL_BYTES = 1024 * 1024;

/**
 * Tracks whether the disk accepts writes. A write without space is refused, and everything else continues; from then on a trial
 * write is made at intervals until it succeeds.
 * @param changed called with the error when trouble begins, and when it ends
 */
export function createSpace(file: SqliteFile, changed: (error: CommandError | undefined) => void) {
  file.exec("CREATE TABLE IF NOT EXISTS trial (bytes BLOB NOT NULL)");
  let error: CommandError | undefined;
  const set = (now: CommandError | undefined) => {
    if ((now === undefined) !== (error === undefined)) changed(now);
    error = now;
  };
  return {
    /** Reason why writes are refused at present; undefined: they are not. */
    get trouble(): CommandError | undefined {
      return error;
    },
    /** @param error the failure of SQLite; failures that are not of the disk are ignored */
    refused: (error: unknown): void => {
      if (isDiskError(error)) set(storageError(error));
    },
    /** Writes something, commits it and removes it. Only during trouble, and between groups. */
    tryAgain: (): void => {
      try {
        for (const sql of [`INSERT INTO trial VALUES (zeroblob(${TRIAL_BYTES}))`, "DELETE FROM trial"]) {
          file.begin();
          file.prepare(sql).run([]);
          file.commit();
        }
        set(undefined);
      } catch (error) {
        file.rollback();
        if (!isSqliteError(error)) throw error;
      }
    },
  };
}

export function isSqliteError(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE");
}

/** A failure of SQLite as an error of MongoDB. */
export function storageError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  if (codeOf(error).startsWith("SQLITE_FULL"))
    return new CommandError(14031, `out of disk space: ${message}`);
  return new CommandError(1, `storage error: ${message}`);
}

function isDiskError(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|CANTOPEN)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
