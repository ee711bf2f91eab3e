import type { MessagePort } from "node:worker_threads";
import { systemClock } from "../shared/clock.ts";
import { createSteadyClock } from "../shared/steady-clock.ts";

import { type BackupProgress, backUp } from "./backup.ts";

import { createEngine, type Engine } from "./engine.ts";
import { expireDocuments } from "./expiry.ts";
import { isSqliteError } from "./free-space.ts";
import type { NativeCall } from "./orderly-exit.ts";
import { startServer } from "./server/server.ts";
import { shrinkFile, stuckBytesOf } from "./shrink.ts";
import { checkIntegrity } from "./storage/check-integrity.ts";
import { openSqliteFile } from "./storage/database.ts";
import type { LostCommits } from "./storage/lost-commits.ts";

/** The data to serve. */
export interface DataOptions {
  /** Folder of the data; created (mode 0700) if missing. */
  readonly directory: string;
  /** Interval between removals of expired documents, idle cursors and transactions; 60 s. */
  readonly housekeepingIntervalMs?: number | undefined;
  /** Number of the last existing commit, with which an operator accepts the loss of later commits. */
  readonly acceptedLoss?: number | undefined;
}

export interface EngineOptions extends DataOptions {
  readonly socketPath: string;
  /** Called when the engine cannot continue. */
  readonly failed?: (error: Error) => void;
  /** Called when the disk begins to refuse writes, with the reason, and when it accepts them again. */
  readonly troubled?: (error: string | undefined) => void;
  /** Runs calls into SQLite; missing: directly. */
  readonly native?: NativeCall;
}

/** Findings of a start. */
export interface Findings {
  /** Missing acknowledged commits, if the options accept that; undefined: none. */
  readonly lost: LostCommits | undefined;
  /** Tables that were not checked after an unclean shutdown, because it took too long. */
  readonly unchecked: number;
  /** Unused bytes of the file that only `compactDatabase` can return to the disk. */
  readonly stuckBytes: number;
}

export interface OpenEngine {
  readonly findings: Findings;
  /** Serves another thread of this process in addition to the socket. */
  connect(port: MessagePort): void;
  /**
   * Copies the data to a new file while the engine runs; one copy at a time.
   * @throws Error, with the code EEXIST when the file exists
   */
  backUp(target: string, progress: (progress: BackupProgress) => void): Promise<void>;
  /** Finishes received requests, and closes the file. */
  close(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;
/**
 * The engine uses the clock of this machine and cannot verify its steps: after a wrong clock is corrected, or after a long
 * sleep of the machine, due work waits for this time.
 */
const BELIEVE_STEP_AFTER_MS = 15 * 60_000;
const TRANSACTION_CHECK_MS = 5_000;
/** Time after which writes are accepted again once there is space. */
const TRIAL_MS = 1_000;
/** Interval between steps that shrink the file, so that requests do not wait for long. */
const SHRINK_MS = 50;

/**
 * Opens the data and serves it on the socket, in this thread.
 * @throws DirectoryInUseError when another process has the directory
 * @throws Error with the reason when the data cannot be used, for example when acknowledged commits are missing
 */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const { failed = () => {} } = options;
  const file = openSqliteFile(options.directory, options);
  // Expiry uses this clock: a step of the wall clock must not remove documents.
  const clock = createSteadyClock(systemClock, { believeAfterMs: BELIEVE_STEP_AFTER_MS });
  const now = () => clock.now().getTime();
  let unchecked = 0;
  let engine: Engine;
  try {
    if (file.endedUncleanly || file.lost !== undefined) unchecked = checkIntegrity(file);
    engine = createEngine(file, now, (error) => options.troubled?.(error?.message));
  } catch (error) {
    file.close();
    throw error;
  }
  const server = await startServer(engine, options.socketPath, failed).catch((error: unknown) => {
    file.close();
    throw error;
  });
  let again: NodeJS.Timeout | undefined;
  // A failing disk is not fatal: reads continue, and the next pass retries.
  const refused = (error: unknown) => {
    engine.space.refused(error);
    if (!isSqliteError(error)) failed(error as Error);
  };
  const whereRefused = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      refused(error);
    }
  };
  const keepHouse = whereRefused(() => {
    engine.cursors.dropIdle();
    const isMore = server.exclusively(() => expireDocuments(engine));
    if (isMore) again = setTimeout(keepHouse, 10);
    else shrink();
  });
  const shrink = whereRefused(() => {
    const isMore = server.idle && server.exclusively(() => shrinkFile(file));
    if (isMore) again = setTimeout(shrink, SHRINK_MS);
  });
  const tryAgain = () => {
    try {
      if (engine.space.trouble !== undefined) engine.space.tryAgain();
    } catch (error) {
      failed(error as Error);
    }
  };
  const timers = [
    setInterval(keepHouse, options.housekeepingIntervalMs ?? HOUSEKEEPING_MS),
    setInterval(tryAgain, TRIAL_MS),
    setInterval(() => engine.transactions.abortExpired(), TRANSACTION_CHECK_MS),
  ];
  return {
    findings: { lost: file.lost, unchecked, stuckBytes: stuckBytesOf(file) },
    connect: server.connect,
    backUp: (target, progress) => backUp(file, target, progress),
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      clearTimeout(again);
      await server.close();
      file.close();
    },
  };
}
