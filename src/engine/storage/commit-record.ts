import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { PRIVATE_FILE } from "../../shared/private-files.ts";

/** A commit by its number, which grows by one with each, and when it was made, in ms since 1970. */
export interface Commit {
  readonly number: number;
  readonly at: number;
}

const LINE = /^commit (\d{16}) at (\S{24})\n/;

/**
 * Tells which commit was the last that clients were told of, in a small file beside the database. It is written after
 * the commit is on the disk and before any reply, and not synced: a killed process leaves it exact, or one commit
 * behind; a power cut may leave it further behind. It is never ahead, so a database with fewer commits has lost some.
 */
export function openCommitRecord(path: string) {
  const last = read(path);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
  return {
    /** undefined: there is none yet, or it cannot be read. */
    last,
    write: ({ number, at }: Commit): void => {
      try {
        // One line of one length, at one place: a process that is killed leaves the one before or this one.
        writeSync(
          file,
          `commit ${String(number).padStart(16, "0")} at ${new Date(at).toISOString()}\n`,
          0,
          "latin1",
        );
      } catch {
        // The commit is made, whatever becomes of its record: one that is behind says nothing wrong.
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
