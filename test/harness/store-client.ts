import path from "node:path";
import { type Db, MongoClient } from "mongodb";
import type { Hermod } from "./start-hermod.ts";

export interface StoreClient {
  readonly db: Db;
  close(): Promise<void>;
}

/** A client of the stored data of a Hermod, for tests that poll; it survives a crash of the process. */
export function openStoreClient({ env, dataDir }: Pick<Hermod, "env" | "dataDir">): StoreClient {
  const { MONGODB_URL, MONGODB_DATABASE = "hermod" } = env;
  const socket = encodeURIComponent(path.join(dataDir, "engine.sock"));
  const client = new MongoClient(MONGODB_URL ?? `mongodb://${socket}/?directConnection=true`);
  return { db: client.db(MONGODB_DATABASE), close: () => client.close() };
}

/** Reads and changes the stored data of a running Hermod, for example to simulate the passage of time. */
export async function withStore<T>(
  hermod: Pick<Hermod, "env" | "dataDir">,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const { db, close } = openStoreClient(hermod);
  try {
    return await use(db);
  } finally {
    await close();
  }
}

/** Makes one waiting message or all of them due now. */
export async function makeDue(hermod: Hermod, messageId?: string): Promise<void> {
  const which = messageId === undefined ? {} : { _id: messageId };
  await withStore(hermod, (db) =>
    db
      .collection<{ _id: string }>("messages")
      .updateMany({ ...which, nextAttemptAt: { $exists: true } }, { $set: { nextAttemptAt: new Date() } }),
  );
}
