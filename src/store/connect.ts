import { type Db, MongoClient } from "mongodb";
import { Connection } from "mongodb/lib/cmap/connection.js";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { Logger } from "../shared/logger.ts";
import { guarded, storeFault } from "./store-fault.ts";

export interface StoreConnection {
  readonly db: Db;
  /** @throws Fault store.unavailable if the server does not answer. */
  ping(): Promise<void>;
  /**
   * Time of the store's clock, which is that of the primary server.
   * @throws Fault store.unavailable
   */
  time(): Promise<Date>;
  /** Runs long operations such as index builds over separate connections without an answer timeout. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  readonly database: string;
  readonly log: Logger;
  /** A connection without an answer for this long is closed, and its pending operations are retried once. */
  readonly answerWithinMs?: number;
}

/**
 * Maximum wait for a writable server. With MongoDB's defaults, the loss of a primary is detected after 10 s
 * (`electionTimeoutMillis`), and a new one is elected within 12 s. The value is below HERMOD_CORE_DEADLINE_MS, so
 * that a client learns that nothing was accepted, instead of an unknown outcome.
 */
const SERVER_SELECTION_TIMEOUT_MS = 13_000;
/** Maximum wait for a connection while all are in use: operations that wait for an election keep theirs. */
const CONNECTION_TIMEOUT_MS = 13_000;
/** Maximum wait of a write for a majority of the servers. */
const MAJORITY_TIMEOUT_MS = 10_000;
/**
 * Longer than any answer takes. A single connection can silently stop answering. Without this limit the operating
 * system closes it only after 15 minutes.
 */
const ANSWER_WITHIN_MS = 20_000;

/**
 * Connects to the MongoDB at `url`, which may be the embedded engine. Writes are acknowledged when a majority has
 * them in its journal.
 * @throws Fault store.unavailable
 */
export async function connectStore({
  url,
  database,
  log,
  answerWithinMs = ANSWER_WITHIN_MS,
}: ConnectOptions): Promise<StoreConnection> {
  const client = createClient(url, answerWithinMs);
  client.on("serverHeartbeatFailed", (event) =>
    log.warn({ server: event.connectionId }, "the store does not answer"),
  );
  try {
    await client.connect();
    await client.db(database).command({ ping: 1 });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw storeFault(error);
  }
  const db = client.db(database);
  return {
    db,
    ping: async () => {
      try {
        await db.command({ ping: 1 });
      } catch (error) {
        throw storeFault(error);
      }
    },
    time: async () => (await guarded(db.command({ hello: 1 }))).localTime,
    patiently: async (work) => {
      const patient = createClient(url, FOR_EVER);
      try {
        return await work(patient.db(database));
      } finally {
        await patient.close();
      }
    },
    close: () => client.close(),
  };
}

/** The driver's value for no limit. */
const FOR_EVER = 0;

function createClient(url: string, socketTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
      appName: "hermod",
      writeConcern: { w: "majority", journal: true, wtimeoutMS: MAJORITY_TIMEOUT_MS },
      readConcern: { level: "majority" },
      // A value in the connection string has precedence.
      ...(/[?&]serverSelectionTimeoutMS=/.test(url)
        ? {}
        : { serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS }),
      maxPoolSize: 50,
      waitQueueTimeoutMS: CONNECTION_TIMEOUT_MS,
      socketTimeoutMS,
      ignoreUndefined: true,
    });
  } catch (error) {
    throw invalidUrl(error);
  }
}

function invalidUrl(cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return fault("store.unavailable", { public: say("mongodb_url", { detail: reason }), cause });
}

const { cleanup } = Connection.prototype;

/**
 * Wakes code that waits for a driver connection's socket to drain when the connection closes: the socket emits no
 * further event, and the driver waits for nothing else (mongodb 7.8.0, `Connection.writeCommand`). A command that
 * begins on a destroyed socket waits in the same way. If that is the monitor's connection, the server is never
 * queried again, and counts as unavailable until the process ends.
 *
 * Woken code finds the error that closed the connection, like any other command on it.
 */
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  // Deferred, so that code that has just begun to wait is woken, too.
  setImmediate(() => this.socket.emit("drain"));
};
