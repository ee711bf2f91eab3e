import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { keepPrivate, makePrivate } from "../../shared/private-files.ts";
import type { NativeCall } from "../orderly-exit.ts";
import { countCommits } from "./commits.ts";

/** A value in the types of SQLite. */
export type Cell = Buffer | number | string | null;

/** A prepared statement; rows are arrays of cells. */
export interface Statement {
  /** Runs it and returns the number of changed rows. */
  run(cells: readonly Cell[]): number;
  get(cells: readonly Cell[]): Cell[] | undefined;
  all(cells: readonly Cell[]): Cell[][];
}

/** One SQLite file, opened only for this process. */
export type SqliteFile = ReturnType<typeof wrap>;

/** Another process (or another engine of this one) serves the directory. */
export class DirectoryInUseError extends Error {
  constructor(directory: string, options?: ErrorOptions) {
    super(`the data directory ${directory} is in use by another process`, options);
    this.name = "DirectoryInUseError";
  }
}

/**
 * Format of tables, keys and rows in the file, as SQLite's `user_version`. It is raised with a change that the program of the
 * release before could not read; that release opens files of all earlier formats. 0: Hermod 0.1.0, the same as 1.
 */
export const FILE_FORMAT = 1;

const CHECKPOINTS = "PRAGMA wal_autocheckpoint=4000";

/**
 * Settings: WAL with synchronous=FULL makes a commit durable with one fsync of the log. The exclusive lock is in the kernel, so
 * that it ends with its process in every case. The log is folded into the file every 32 MiB; the page cache is bounded and
 * nothing is mapped, so that the memory of the process does not depend on the size of the file.
 */
const SETTINGS = [
  "PRAGMA page_size=8192",
  "PRAGMA journal_mode=WAL",
  "PRAGMA synchronous=FULL",
  "PRAGMA cache_size=-65536",
  CHECKPOINTS,
  "PRAGMA journal_size_limit=67108864",
  "PRAGMA temp_store=MEMORY",
];

/** For a new, empty file: unused pages can be returned to the disk. For another file it would be a write. */
const NEW_FILE_SETTING = "PRAGMA auto_vacuum=INCREMENTAL";

/** `PRAGMA auto_vacuum` of such a file. */
export const INCREMENTAL_VACUUM = 2;

export const DATABASE_FILE = "hermod.sqlite";
/** The rewritten database, until it replaces the file. */
export const COMPACT_FILE = `${DATABASE_FILE}-compact`;

/** A number that SQLite reports about the file, for example `page_count`. */
export function pragmaNumber(file: SqliteFile, pragma: string): number {
  return Number(file.prepare(`PRAGMA ${pragma}`).get([])?.[0] ?? 0);
}

/** Removes the leftovers of an interrupted compaction: its journal would be taken for that of the next one. */
export function removeCompact(directory: string): void {
  for (const name of [COMPACT_FILE, `${COMPACT_FILE}-journal`])
    rmSync(join(directory, name), { force: true });
}

export interface OpenOptions {
  /** Runs calls into SQLite; missing: directly. */
  readonly native?: NativeCall | undefined;
  /** Number of the last existing commit: an operator accepts the loss of later commits. */
  readonly acceptedLoss?: number | undefined;
}

/**
 * Opens `directory`/hermod.sqlite, creating both if missing.
 * @throws DirectoryInUseError at once when it is in use
 * @throws Error when a later release created the file, or acknowledged commits are missing
 */
export function openSqliteFile(directory: string, options: OpenOptions = {}): SqliteFile {
  const { native = (call) => call(), acceptedLoss } = options;
  const path = join(directory, DATABASE_FILE);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The folder may belong to another user, and be open to others. SQLite gives its log and other files the permissions of this
  // file.
  makePrivate(path);
  // Former logs of the file, and copies of it.
  for (const name of readdirSync(directory)) {
    if (name.startsWith(DATABASE_FILE)) keepPrivate(join(directory, name));
  }
  const endedUncleanly = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const database = native(() => new Database(path, { timeout: 0 }));
  let format = FILE_FORMAT;
  try {
    native(() => {
      // Before the first read, so that no shared-memory file is used.
      database.prepare("PRAGMA locking_mode=EXCLUSIVE").all();
      [format = 0] = database.prepare("PRAGMA user_version").raw().get() as number[];
      if (format > FILE_FORMAT) {
        throw new Error(
          `${path} has the format ${format} of a newer Hermod; this one supports formats up to ${FILE_FORMAT}. Nothing was ` +
            "changed. Start the newer release, or restore a backup from before the upgrade.",
        );
      }
      const [pages] = database.prepare("PRAGMA page_count").raw().get() as number[];
      if (pages === 0) database.prepare(NEW_FILE_SETTING).all();
      for (const setting of SETTINGS) database.prepare(setting).all();
      database.exec("BEGIN IMMEDIATE; COMMIT");
    });
    removeCompact(directory);
    const file = wrap(database, native, path, { endedUncleanly, acceptedLoss });
    // Only now: a write before the count of commits would overwrite the rest of a damaged log.
    if (format < FILE_FORMAT) file.exec(`PRAGMA user_version=${FILE_FORMAT}`);
    return file;
  } catch (cause) {
    database.close();
    if (cause instanceof Error && /locked|busy/i.test(cause.message)) {
      throw new DirectoryInUseError(directory, { cause });
    }
    throw cause;
  }
}

function wrap(
  database: Database.Database,
  native: NativeCall,
  path: string,
  { endedUncleanly, acceptedLoss }: { endedUncleanly: boolean; acceptedLoss: number | undefined },
) {
  const statements = new Map<string, Statement>();
  let open = false;
  /** True if the open transaction has changed something: without changes it needs no fsync and is no commit. */
  let changed = false;
  const wrote = (rows: number) => {
    changed ||= rows > 0;
  };
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = native(() => wrapStatement(() => database.prepare(sql), native, wrote));
      statements.set(sql, statement);
    }
    return statement;
  };
  const exec = (sql: string) => {
    // A cached statement would keep a dropped table alive.
    if (/^\s*(DROP|ALTER)\b/i.test(sql)) statements.clear();
    native(() => database.exec(sql));
  };
  const begin = () => {
    if (open) return;
    prepare("BEGIN IMMEDIATE").run([]);
    open = true;
    changed = false;
  };
  const commits = countCommits({ exec, prepare }, path, acceptedLoss);
  const descriptor = openSync(path, "r");
  let closed = false;
  return {
    /** The log was not folded in after the last use of the file: its process was killed, or the power failed. */
    endedUncleanly,
    /** Missing acknowledged commits that an operator has accepted; undefined: none. */
    lost: commits.lost,
    /** Descriptor for reading the file beside SQLite: closing another one would end SQLite's lock. */
    descriptor,
    logPath: `${path}-wal`,
    /** While held, commits stay in the log, and the file does not change. */
    holdLog: (held: boolean): void => {
      native(() => database.prepare(held ? "PRAGMA wal_autocheckpoint=0" : CHECKPOINTS).all());
    },
    /** Statements are cached: use few different texts. */
    prepare,
    get inTransaction(): boolean {
      return open;
    },
    exec: (sql: string): void => {
      exec(sql);
      changed = true;
    },
    /** Opens the transaction that all writes until `commit` or `rollback` share; does nothing when it is open. */
    begin,
    /** Returns after the writes are on the disk. Does nothing when no transaction is open. */
    commit: (): void => {
      if (!open) return;
      const counts = changed;
      if (counts) commits.raise();
      prepare("COMMIT").run([]);
      open = false;
      if (counts) commits.raised();
    },
    /** Runs work within the transaction, which is opened if necessary; its writes stay if `keep` is set and it returns. */
    inSavepoint: <T>(keep: boolean, work: () => T): T => {
      begin();
      const before = changed;
      exec("SAVEPOINT statement");
      let done = false;
      try {
        const result = work();
        done = keep;
        return result;
      } finally {
        if (!done) {
          exec("ROLLBACK TO statement");
          changed = before;
        }
        exec("RELEASE statement");
      }
    },
    rollback: (): void => {
      if (!open) return;
      open = false;
      // SQLite rolls back by itself after some failures (disk full): then there is nothing to end.
      native(() => {
        if (database.inTransaction) database.exec("ROLLBACK");
      });
    },
    /** Runs once; later calls do nothing. */
    close: (): void => {
      if (closed) return;
      closed = true;
      statements.clear();
      native(() => database.close());
      commits.close();
      closeSync(descriptor);
    },
  };
}

/** `get` has a separate statement: after `all` on the same statement, libsql returns former cells. */
function wrapStatement(
  prepare: () => Database.Statement<unknown[]>,
  native: NativeCall,
  wrote: (rows: number) => void,
): Statement {
  const prepared = () => {
    const statement = prepare();
    // `raw` is an error for statements without result columns.
    return statement.reader ? statement.raw() : statement;
  };
  const statement = prepared();
  let first: Database.Statement<unknown[]> | undefined;
  return {
    run: (cells) => {
      const { changes } = native(() => statement.run(cells as unknown[] as never));
      wrote(changes);
      return changes;
    },
    get: (cells) =>
      native(() => {
        first ??= prepared();
        return first.get(cells as unknown[] as never) as Cell[] | undefined;
      }),
    all: (cells) => native(() => statement.all(cells as unknown[] as never) as Cell[][]),
  };
}
