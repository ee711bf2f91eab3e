import { INCREMENTAL_VACUUM, pragmaNumber, type SqliteFile } from "./storage/database.ts";

/** Pages moved to the end of the file and returned to the disk, in one commit. */
const PAGES_A_STEP = 64;
/** Fewer unused pages (8 MiB) are kept for later writes. */
const KEPT_PAGES = 1024;

/**
 * Returns some unused pages of the file to the disk; returns true if there are more. A file of an earlier release does not
 * support this, and keeps its unused pages until `compactDatabase`.
 */
export function shrinkFile(file: SqliteFile): boolean {
  if (pragmaNumber(file, "auto_vacuum") !== INCREMENTAL_VACUUM) return false;
  if (!isWaste(file, pragmaNumber(file, "freelist_count"))) return false;
  file.begin();
  file.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`);
  return true;
}

/** Unused bytes that cannot be returned, because an earlier release created the file; 0: none of significance. */
export function stuckBytesOf(file: SqliteFile): number {
  if (pragmaNumber(file, "auto_vacuum") === INCREMENTAL_VACUUM) return 0;
  const unused = pragmaNumber(file, "freelist_count");
  return isWaste(file, unused) ? unused * pragmaNumber(file, "page_size") : 0;
}

/** A tenth of the file is acceptable: daily expiry frees it, and later writes use it again. */
function isWaste(file: SqliteFile, unusedPages: number): boolean {
  return unusedPages > Math.max(KEPT_PAGES, pragmaNumber(file, "page_count") / 10);
}
