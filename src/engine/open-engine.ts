import type { MessagePort } from "node:worker_threads";
import { systemClock } from "../shared/clock.ts";
import { createSteadyClock } from "../shared/steady-clock.ts";

import { type BackupProgress, backUp } from "./backup.ts";

import { createEngine, type Engine } from "./engine.ts";
import { expireDocuments } from "./expiry.ts";
import type { NativeCall } from "./orderly-exit.ts";
import { isSqliteError } from "./room.ts";
import { startServer } from "./server/server.ts";
import { shrinkFile, stuckBytesOf } from "./shrink.ts";
import { checkIntegrity } from "./storage/check-integrity.ts";
import { openSqliteFile } from "./storage/database.ts";
import type { LostCommits } from "./storage/lost-commits.ts";

/** The data to serve. */
export interface DataOptions {
  /** The folder of the data; made (mode 0700) when missing. */
  readonly directory: string;
  /** Between two passes that remove expired documents, and idle cursors and transactions; 60 s. */
  readonly housekeepingIntervalMs?: number | undefined;
  /** Number of the last commit that is there, by which an operator goes on without those after it. */
  readonly acceptedLoss?: number | undefined;
}

export interface EngineOptions extends DataOptions {
  readonly socketPath: string;
  /** Called when the engine can go on no longer. */
  readonly failed?: (error: Error) => void;
  /** Called when the disk begins to refuse writes, with the reason, and when it takes them again. */
  readonly troubled?: (trouble: string | undefined) => void;
  /** Makes calls into SQLite; missing: they are made just so. */
  readonly native?: NativeCall;
}

/** What a start has found. */
export interface Findings {
  /** Acknowledged commits that are missing, where the options accept that; undefined: none is. */
  readonly lost: LostCommits | undefined;
  /** Tables that were not checked after an unclean end, as that took too long. */
  readonly unchecked: number;
  /** Unused bytes of the file that it cannot give back: `compactDatabase` can. */
  readonly stuckBytes: number;
}

export interface OpenEngine {
  readonly findings: Findings;
  /** Serves another thread of this process besides those that come to the socket. */
  connect(port: MessagePort): void;
  /**
   * Copies the data to a new file while the engine goes on; one copy at a time.
   * @throws Error, with the code EEXIST when something is there
   */
  backUp(target: string, progress: (progress: BackupProgress) => void): Promise<void>;
  /** Finishes what has arrived, and closes the file. */
  close(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;
/**
 * The engine's clock is this machine's, and nobody can say whether a step of it is right: a clock set wrongly by hand is
 * put right within this, and after a longer sleep of the machine what has become due waits for it.
 */
const BELIEVE_STEP_AFTER_MS = 15 * 60_000;
const TRANSACTION_CHECK_MS = 5_000;
/** Writes are taken again so soon after there is space. */
const TRIAL_MS = 1_000;
/** Between two steps in which the file shrinks, so that a request that comes does not wait for long. */
const SHRINK_MS = 50;

/**
 * Opens the data and serves it on the socket, in this thread.
 * @throws DirectoryInUseError when another one has the directory
 * @throws Error saying why the data cannot be used, as when acknowledged commits are missing
 */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const { failed = () => {} } = options;
  const file = openSqliteFile(options.directory, options);
  // Documents that expire go by it: a step of the wall clock must not remove them.
  const clock = createSteadyClock(systemClock, { believeAfterMs: BELIEVE_STEP_AFTER_MS });
  const now = () => clock.now().getTime();
  let unchecked = 0;
  let engine: Engine;
  try {
    if (file.endedUncleanly || file.lost !== undefined) unchecked = checkIntegrity(file);
    engine = createEngine(file, now, (trouble) => options.troubled?.(trouble?.message));
  } catch (error) {
    file.close();
    throw error;
  }
  const server = await startServer(engine, options.socketPath, failed).catch((error: unknown) => {
    file.close();
    throw error;
  });
  let again: NodeJS.Timeout | undefined;
  // A disk that refuses is no end: what can be read is served, and the next pass tries again.
  const refused = (error: unknown) => {
    engine.room.refused(error);
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
      if (engine.room.trouble !== undefined) engine.room.tryAgain();
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
