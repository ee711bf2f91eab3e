import type { Db } from "mongodb";
import type { Logger } from "../../shared/logger.ts";

/** One change of what is stored, from the version of the schema before it to its own. */
export interface Migration {
  /** One more than that of the migration before it; the first is 2. It never changes once it is released. */
  readonly version: number;
  /** A few words for the log and `hermod status`: "messages get a bucket". */
  readonly name: string;
  /**
   * False: it is done before any role serves, and waits for those before it. True: it goes on while roles serve, and the
   * program reads both forms until it is done.
   */
  readonly background: boolean;
  /**
   * For a background migration: it begins only when no process of an earlier version of the schema runs, and none can come
   * back. It is for what those would still write in the former form, or what they need.
   */
  readonly alone?: boolean;
  /**
   * Does the work, from where the progress says. It is run again after a crash, and may be run again when it is done:
   * what is changed already must stay as it is. Unless it is `alone`, programs of the version before may read and write
   * meanwhile. It ends soon once the signal is aborted; to save its progress, which it does every few seconds at least, throws then.
   */
  run(context: MigrationContext): Promise<void>;
}

export interface MigrationContext {
  readonly db: Db;
  readonly progress: MigrationProgress;
  readonly log: Logger;
  /** Aborted when the process is told to end, or may have lost the lease. */
  readonly signal: AbortSignal;
}

/** How far a migration has come, stored in the database. */
export interface MigrationProgress {
  /** As it was saved last, by this process or another; undefined: it begins. */
  readonly cursor: unknown;
  /** Documents that were seen to, by then. */
  readonly done: number;
  /** @throws when another process may run the migration by now, or this one is told to end */
  save(step: MigrationStep): Promise<void>;
}

export interface MigrationStep {
  /** From here another process goes on: anything that MongoDB stores, often the last _id. */
  readonly cursor: unknown;
  readonly done: number;
  /** How many there are, roughly; for people. */
  readonly total?: number;
}
