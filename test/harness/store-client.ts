import path from "node:path";
import { type Db, MongoClient } from "mongodb";
import type { Hermod } from "./start-hermod.ts";

/** Reads and changes what a running Hermod has stored, as only a test may: to make time pass, for instance. */
export async function withStore<T>(
  hermod: Pick<Hermod, "env" | "dataDir">,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const { MONGODB_URL, MONGODB_DATABASE = "hermod" } = hermod.env;
  const socket = encodeURIComponent(path.join(hermod.dataDir, "engine.sock"));
  const client = new MongoClient(MONGODB_URL ?? `mongodb://${socket}/?directConnection=true`);
  try {
    return await use(client.db(MONGODB_DATABASE));
  } finally {
    await client.close();
  }
}

/** Makes every message that waits for an attempt due now. */
export async function makeDue(hermod: Hermod): Promise<void> {
  await withStore(hermod, (db) =>
    db
      .collection("messages")
      .updateMany({ nextAttemptAt: { $exists: true } }, { $set: { nextAttemptAt: new Date() } }),
  );
}
