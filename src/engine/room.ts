import { CommandError } from "./errors.ts";
import type { SqliteFile } from "./storage/database.ts";

/** The size of a trial: less may be left by what was removed, and be gone with the next message. */
const TRIAL_BYTES = 1024 * 1024;

/**
 * Tells whether the disk takes writes. A write that finds no space is refused, and everything else goes on; from then on
 * a trial is made now and then, until it succeeds.
 * @param changed called when trouble begins, with what it is, and when it ends
 */
export function createRoom(file: SqliteFile, changed: (trouble: CommandError | undefined) => void) {
  file.exec("CREATE TABLE IF NOT EXISTS trial (bytes BLOB NOT NULL)");
  let trouble: CommandError | undefined;
  const set = (now: CommandError | undefined) => {
    if ((now === undefined) !== (trouble === undefined)) changed(now);
    trouble = now;
  };
  return {
    /** The reason why writes are refused at present; undefined: they are not. */
    get trouble(): CommandError | undefined {
      return trouble;
    },
    /** @param error what SQLite could not do; others than those of the disk are ignored */
    refused: (error: unknown): void => {
      if (isDiskError(error)) set(storageError(error));
    },
    /** Writes something, commits it and removes it. Only while there is trouble, and between groups. */
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

/** A failure of SQLite in MongoDB's terms. */
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
