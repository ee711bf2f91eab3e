import type { SqliteFile } from "./storage/database.ts";

/** Moved to the end of the file, and given back, in one commit. */
const PAGES_A_STEP = 64;
/** Fewer unused pages (8 MiB) are kept for what comes next. */
const KEPT_PAGES = 1024;

/**
 * Gives a little of what the file does not use back to the disk; tells whether there is more. A file of an earlier
 * release does not allow it, and keeps its unused pages for what comes.
 */
export function shrinkFile(file: SqliteFile): boolean {
  if (numberOf(file, "auto_vacuum") !== INCREMENTAL) return false;
  const unused = numberOf(file, "freelist_count");
  // A tenth of the file is no waste: what expires by day is used again.
  if (unused <= Math.max(KEPT_PAGES, numberOf(file, "page_count") / 10)) return false;
  file.begin();
  file.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
  return true;
}

const INCREMENTAL = 2;

function numberOf(file: SqliteFile, pragma: string): number {
  return Number(file.prepare(`PRAGMA ${pragma}`).get([])?.[0] ?? 0);
}
