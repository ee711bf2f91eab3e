import { type Db, MongoClient } from "mongodb";
import { Connection } from "mongodb/lib/cmap/connection.js";
import { type Fault, fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import type { Logger } from "../shared/logger.ts";
import { guarded, storeFault } from "./store-fault.ts";

export interface StoreConnection {
  readonly db: Db;
  /** @throws Fault store.unavailable when the server does not answer. */
  ping(): Promise<void>;
  /**
   * The time by the store's own clock, that of the server to write to.
   * @throws Fault store.unavailable
   */
  time(): Promise<Date>;
  /** Runs what may take long, as the building of an index does: over connections of its own, which wait for any answer. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  readonly database: string;
  readonly log: Logger;
  /** A connection on which no answer has come for so long is given up, and what waited for it is asked again once. */
  readonly answerWithinMs?: number;
}

/**
 * How long an operation waits for a server to write to. With MongoDB's defaults, the loss of a primary is noticed after 10 s
 * (`electionTimeoutMillis`), and a new one is there within 12 s. It is less than HERMOD_CORE_DEADLINE_MS: a client is told that
 * nothing was accepted, and not that nobody knows.
 */
const SERVER_SELECTION_TIMEOUT_MS = 13_000;
/** How long it waits for a connection while all are in use: operations that wait for an election keep theirs. */
const CONNECTION_TIMEOUT_MS = 13_000;
/** A write waits for a majority of the servers, at most so long. */
const MAJORITY_TIMEOUT_MS = 10_000;
/**
 * Longer than any answer takes. A connection can fall silent without a word while all others are well, and would be waited
 * for until the system gives it up, after a quarter of an hour.
 */
const ANSWER_WITHIN_MS = 20_000;

/**
 * Connects to the MongoDB at `url`; the embedded engine is one too. Writes are acknowledged once a
 * majority has them in its journal.
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

/** The driver's word for no bound. */
const FOR_EVER = 0;

function createClient(url: string, socketTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
      appName: "hermod",
      writeConcern: { w: "majority", journal: true, wtimeoutMS: MAJORITY_TIMEOUT_MS },
      readConcern: { level: "majority" },
      // What the connection string says about it counts.
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
 * Lets a connection of the driver that closes wake whoever waits there until the socket can take more: the socket never
 * says so again, and the driver waits for nothing else (mongodb 7.8.0, `Connection.writeCommand`). A command that begins
 * while the socket is already destroyed waits like that too. Where that is the monitor's, the server is never asked again,
 * and counts as gone until the process ends.
 *
 * Who is woken finds the error that closed the connection, as any other command on it does.
 */
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  // Later than what has just begun to wait.
  setImmediate(() => this.socket.emit("drain"));
};
