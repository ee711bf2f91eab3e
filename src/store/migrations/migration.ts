import type { Db } from "mongodb";
import type { Logger } from "../../shared/logger.ts";

/** One change of the stored data, from the preceding schema version to its own. */
export interface Migration {
  /** One more than that of the preceding migration; the first is 2. It never changes after its release. */
  readonly version: number;
  /** A short phrase for the log and `hermod status`: "messages get a bucket". */
  readonly name: string;
  /**
   * False: it is finished before any role serves, after its predecessors. True: it runs while roles serve, and the
   * program reads both formats until it is done.
   */
  readonly background: boolean;
  /**
   * For a background migration: it starts only when no process of an earlier schema version runs or can start again.
   * For data that such a process would still write in the former format, or needs.
   */
  readonly alone?: boolean;
  /**
   * Does the work, from the saved progress on. It is repeated after a crash, and may be repeated after its end, so it
   * must be idempotent. Unless it is `alone`, programs of the previous version may read and write concurrently. It
   * ends soon after the signal is aborted: saving the progress, which it does every few seconds, then throws.
   */
  run(context: MigrationContext): Promise<void>;
}

export interface MigrationContext {
  readonly db: Db;
  readonly progress: MigrationProgress;
  readonly log: Logger;
  /** Aborted on shutdown, or when the lease may be lost. */
  readonly signal: AbortSignal;
}

/** Progress of a migration, stored in the database. */
export interface MigrationProgress {
  /** The last saved value, of this process or another; undefined: the start. */
  readonly cursor: unknown;
  /** Number of processed documents at that time. */
  readonly done: number;
  /** @throws if another process may run the migration now, or on shutdown */
  save(step: MigrationStep): Promise<void>;
}

export interface MigrationStep {
  /** Position at which another process continues: any value that MongoDB stores, often the last _id. */
  readonly cursor: unknown;
  readonly done: number;
  /** Approximate total, for display. */
  readonly total?: number;
}
