import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { PRIVATE_FILE } from "../../shared/private-files.ts";

/** A commit by its number, which grows by one with each, and its time, in ms since 1970. */
export interface Commit {
  readonly number: number;
  readonly at: number;
}

const LINE = /^commit (\d{16}) at (\S{24})\n/;

/**
 * Records the last commit that was acknowledged to clients, in a small file beside the database. It is written after the commit
 * is on the disk and before any reply, and not synced: after a kill it is exact, or one commit behind; after a power failure it
 * may be further behind. It is never ahead, so a database with fewer commits has lost some.
 */
export function openCommitRecord(path: string) {
  const last = read(path);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
  return {
    /** undefined: none yet, or unreadable. */
    last,
    write: ({ number, at }: Commit): void => {
      try {
        // One line of fixed length at one position: after a kill the file has the former line or this one.
        writeSync(
          file,
          `commit ${String(number).padStart(16, "0")} at ${new Date(at).toISOString()}\n`,
          0,
          "latin1",
        );
      } catch {
        // The commit is made, whether or not its record is written: a record that is behind is still valid.
      }
    },
    close: () => {
      try {
        fdatasyncSync(file);
      } catch {
        // As above.
      }
      closeSync(file);
    },
  };
}

function read(path: string): Commit | undefined {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const [, number, time = ""] = LINE.exec(text) ?? [];
  const at = Date.parse(time);
  return number === undefined || Number.isNaN(at) ? undefined : { number: Number(number), at };
}
