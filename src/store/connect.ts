import { type Db, MongoClient } from "mongodb";
import { type Fault, fault } from "../shared/fault.ts";
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
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  readonly database: string;
  readonly log: Logger;
}

/** How long an operation waits for a server to write to: an election takes two or three seconds. */
const SERVER_SELECTION_TIMEOUT_MS = 8_000;

/**
 * Connects to the MongoDB at `url`; the embedded engine is one too. Writes are acknowledged once a
 * majority has them in its journal.
 * @throws Fault store.unavailable
 */
export async function connectStore({ url, database, log }: ConnectOptions): Promise<StoreConnection> {
  const client = createClient(url);
  client.on("serverHeartbeatFailed", (event) =>
    log.warn({ server: event.connectionId }, "store does not answer"),
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
    close: () => client.close(),
  };
}

function createClient(url: string): MongoClient {
  try {
    return new MongoClient(url, {
      appName: "hermod",
      writeConcern: { w: "majority", journal: true, wtimeoutMS: 10_000 },
      readConcern: { level: "majority" },
      // What the connection string says about it counts.
      ...(/[?&]serverSelectionTimeoutMS=/.test(url)
        ? {}
        : { serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS }),
      maxPoolSize: 50,
      ignoreUndefined: true,
    });
  } catch (error) {
    throw invalidUrl(error);
  }
}

function invalidUrl(cause: unknown): Fault {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return fault("store.unavailable", { public: `MONGODB_URL cannot be used: ${reason}`, cause });
}
