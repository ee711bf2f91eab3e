import { systemClock } from "../../shared/clock.ts";
import { createSteadyClock } from "../../shared/steady-clock.ts";
import { createEngine } from "./engine.ts";
import { expireDocuments } from "./expiry.ts";
import type { NativeCall } from "./orderly-exit.ts";
import { startServer } from "./server/server.ts";
import { openSqliteFile } from "./storage/database.ts";
import type { LostCommits } from "./storage/lost-commits.ts";

export interface EngineOptions {
  /** Where the data lies; created when missing. */
  directory: string;
  socketPath: string;
  /** Between two passes that remove expired documents (and idle cursors and transactions). */
  housekeepingIntervalMs?: number;
  /** Called when the engine can go on no longer. */
  failed?: (error: Error) => void;
  /** How calls into SQLite are made; missing: just so. */
  native?: NativeCall;
  /** Number of the last commit that is there, by which an operator goes on without those after it. */
  acceptedLoss?: number;
}

export interface OpenEngine {
  /** What is missing, and was accepted; undefined: nothing. */
  readonly lost: LostCommits | undefined;
  close(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;
/**
 * The engine's clock is this machine's, and nobody can say whether a step of it is right: a clock set wrongly by hand is
 * put right within this, and after a longer sleep of the machine what has become due waits for it.
 */
const BELIEVE_STEP_AFTER_MS = 15 * 60_000;
const TRANSACTION_CHECK_MS = 5_000;

/** Opens the data and serves it on the socket, in this thread. Throws DirectoryInUseError and LostCommitsError. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const { failed = () => {} } = options;
  const file = openSqliteFile(options.directory, options);
  // Documents that expire go by it: a step of the wall clock must not remove them.
  const clock = createSteadyClock(systemClock, { believeAfterMs: BELIEVE_STEP_AFTER_MS });
  const engine = createEngine(file, () => clock.now().getTime());
  const server = await startServer(engine, options.socketPath, failed).catch((error: unknown) => {
    file.close();
    throw error;
  });
  let again: NodeJS.Timeout | undefined;
  const keepHouse = () => {
    try {
      engine.cursors.dropIdle();
      let more = false;
      server.exclusively(() => {
        more = expireDocuments(engine);
      });
      if (more) again = setTimeout(keepHouse, 10);
    } catch (error) {
      failed(error as Error);
    }
  };
  const timers = [
    setInterval(keepHouse, options.housekeepingIntervalMs ?? HOUSEKEEPING_MS),
    setInterval(() => engine.transactions.abortExpired(), TRANSACTION_CHECK_MS),
  ];
  return {
    lost: file.lost,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      clearTimeout(again);
      await server.close();
      file.close();
    },
  };
}
