import { INCREMENTAL_VACUUM, pragmaNumber, type SqliteFile } from "./storage/database.ts";

/** Moved to the end of the file, and given back, in one commit. */
const PAGES_A_STEP = 64;
/** Fewer unused pages (8 MiB) are kept for what comes next. */
const KEPT_PAGES = 1024;

/**
 * Gives a little of what the file does not use back to the disk; tells whether there is more. A file of an earlier
 * release does not allow it, and keeps its unused pages for what comes, until `compactDatabase`.
 */
export function shrinkFile(file: SqliteFile): boolean {
  if (pragmaNumber(file, "auto_vacuum") !== INCREMENTAL_VACUUM) return false;
  if (!isWaste(file, pragmaNumber(file, "freelist_count"))) return false;
  file.begin();
  file.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
  return true;
}

/** Bytes that are unused and cannot be given back, since a former release made the file; 0: none that are worth it. */
export function stuckBytesOf(file: SqliteFile): number {
  if (pragmaNumber(file, "auto_vacuum") === INCREMENTAL_VACUUM) return 0;
  const unused = pragmaNumber(file, "freelist_count");
  return isWaste(file, unused) ? unused * pragmaNumber(file, "page_size") : 0;
}

/** A tenth of the file is no waste: what expires by day is used again. */
function isWaste(file: SqliteFile, unusedPages: number): boolean {
  return unusedPages > Math.max(KEPT_PAGES, pragmaNumber(file, "page_count") / 10);
}
