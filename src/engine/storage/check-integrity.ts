import type Database from "libsql";
import type { SqliteFile } from "./database.ts";

/** No table's check begins later than this, so that a start does not wait for a large file. */
const LONGEST_MS = 20_000;
const SHOWN_FAULTS = 3;

/**
 * Checks the structure of the tables in order.
 * @returns the number of unchecked tables after the time limit
 * @throws Error with the faults: data from a file with a broken structure may be wrong
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
 * Checks the whole structure of a copy.
 * @throws Error with the first fault
 */
export function checkCopy(copy: InstanceType<typeof Database>): void {
  const faults = copy.prepare("PRAGMA quick_check").raw().all().map(String);
  if (!isSound(faults)) throw new Error(`the copy is damaged: ${faults[0]}`);
}

/** @param faults result of SQLite's check */
function isSound(faults: readonly string[]): boolean {
  return faults.length === 1 && faults[0] === "ok";
}
