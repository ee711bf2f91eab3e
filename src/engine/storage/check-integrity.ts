import type Database from "libsql";
import type { SqliteFile } from "./database.ts";

/** No table's check begins later than this: a start is not to wait for a large file to be read in full. */
const LONGEST_MS = 20_000;
const SHOWN_FAULTS = 3;

/**
 * Checks the structure of one table after the other.
 * @returns how many tables were left out, since time was up
 * @throws Error naming faults: what is read from a file of broken structure may be wrong
 */
export function checkIntegrity(file: SqliteFile): number {
  const end = performance.now() + LONGEST_MS;
  try {
    const tables = file
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all([])
      .map(([name]) => String(name));
    for (const [at, table] of tables.entries()) {
      if (performance.now() >= end) return tables.length - at;
      const faults = file.prepare(`PRAGMA quick_check("${table}")`).all([]).map(String);
      if (!isSound(faults)) throw damaged(faults);
    }
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))) {
      throw damaged([error.message]);
    }
    throw error;
  }
}

function damaged(faults: readonly string[]): Error {
  const shown = faults.slice(0, SHOWN_FAULTS).join("; ");
  const more = faults.length > SHOWN_FAULTS ? `; and ${faults.length - SHOWN_FAULTS} more` : "";
  return new Error(
    `hermod.sqlite is damaged: ${shown}${more}. Put a copy in its place, or recover what can be read with \`sqlite3 hermod.sqlite .recover\`.`,
  );
}

/**
 * Checks the structure of a copy, all of it.
 * @throws Error with the first fault
 */
export function checkCopy(copy: InstanceType<typeof Database>): void {
  const faults = copy.prepare("PRAGMA quick_check").raw().all().map(String);
  if (!isSound(faults)) throw new Error(`the copy is damaged: ${faults[0]}`);
}

/** @param faults the answer of SQLite's check */
function isSound(faults: readonly string[]): boolean {
  return faults.length === 1 && faults[0] === "ok";
}
