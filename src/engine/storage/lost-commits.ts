import { constants, copyFileSync, statSync } from "node:fs";
import { keepPrivate } from "../../shared/private-files.ts";
import type { Commit } from "./commit-record.ts";

/** Acknowledged commits that are missing in the database: its log is missing or damaged, or an older copy has replaced it. */
export interface LostCommits {
  /** The last existing commit; its number is 0 when there is none. */
  readonly present: Commit;
  /** The last acknowledged commit. */
  readonly acknowledged: Commit;
  /** The copy of the log as it was found; undefined: there is no log. */
  readonly logCopy: string | undefined;
}

export function describeLoss({ present, acknowledged, logCopy }: LostCommits): string {
  const time = ({ at }: Commit) => new Date(at).toISOString();
  const missing = acknowledged.number - present.number;
  const since =
    present.number === 0
      ? `all ${missing} commits until ${time(acknowledged)}`
      : `the last ${missing} of ${acknowledged.number} commits: everything after ${time(present)}, until ${time(acknowledged)}`;
  const copy = logCopy === undefined ? "" : ` The log as it was found is kept in ${logCopy}.`;
  return `acknowledged data is missing: ${since}. hermod.sqlite-wal is missing or damaged, or hermod.sqlite is an older copy.${copy}`;
}

/** Keeps a log with an unreadable end, because SQLite removes it when the database is closed, and overwrites it otherwise. */
export function keepLog(log: string): string | undefined {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const copy = `${log}.lost-${new Date().toISOString().replaceAll(":", "-")}`;
  copyFileSync(log, copy, constants.COPYFILE_EXCL);
  keepPrivate(copy);
  return copy;
}
