import { randomBytes } from "node:crypto";
import type { Db, MongoClient } from "mongodb";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { createIndexes } from "../../src/store/indexes.ts";

/** The setting with the databases of this test run, which are dropped at its end. */
const RUN = "HERMOD_TEST_RUN";
/** Number of other databases that are used first, so that pending work of the previous user has ended. */
const MIN_RESTING = 3;
const LANES = 16;
/** An abandoned transaction of a test blocks a document for longer on a server, which supports a time limit. */
const LIMIT = process.env.MONGODB_URL ? { maxTimeMS: 2_000 } : {};
/** Commands that change the shape of a database. */
const SHAPING = new Set([
  "collMod",
  "createIndexes",
  "drop",
  "dropDatabase",
  "dropIndexes",
  "renameCollection",
]);

/** Unused databases of this worker, longest unused first. */
const resting: string[] = [];
/** Contents of a new database. */
let pristine: readonly string[] = [];

export interface LentDatabase {
  readonly db: Db;
  /** Releases the database for the next test. The client must be closed. */
  giveBack(): void;
}

/** Sets the database names of this run, before its workers start. */
export function beginRun(): void {
  process.env[RUN] = `hermod_test_${randomBytes(4).toString("hex")}`;
}

/** Drops the databases. */
export async function endRun(client: MongoClient): Promise<void> {
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const ofRun = databases.filter(({ name }) => name.startsWith(`${process.env[RUN]}_`));
  await inParallel(ofRun, 2, async ({ name }) => void (await client.db(name).dropDatabase()));
}

/**
 * An empty database with Hermod's indexes on the client's server. A worker reuses its databases, because creating
 * the indexes takes ten times as long as emptying the database.
 */
export async function lendDatabase(client: MongoClient): Promise<LentDatabase> {
  const db =
    (resting.length > MIN_RESTING && (await emptied(client, resting.shift() ?? ""))) || (await made(client));
  let isAsMade = true;
  client.on("commandStarted", ({ commandName }) => {
    if (SHAPING.has(commandName)) isAsMade = false;
  });
  return {
    db,
    giveBack: () => {
      // A test may close its store twice, but two later tests must not share a database.
      if (isAsMade && !resting.includes(db.databaseName)) resting.push(db.databaseName);
    },
  };
}

async function made(client: MongoClient): Promise<Db> {
  const db = client.db(`${process.env[RUN]}_${randomBytes(6).toString("hex")}`);
  await createIndexes(db);
  pristine = await collectionsOf(db);
  return db;
}

/** undefined: the original state cannot be restored. */
async function emptied(client: MongoClient, name: string): Promise<Db | undefined> {
  const db = client.db(name);
  const present = new Set(await collectionsOf(db));
  if (!pristine.every((collection) => present.delete(collection))) return undefined;
  try {
    for (const collection of present) await db.dropCollection(collection);
    await inParallel(pristine, LANES, async (collection) => {
      await db.collection(collection).deleteMany({}, LIMIT);
    });
    return db;
  } catch {
    return undefined;
  }
}

async function collectionsOf(db: Db): Promise<string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith("system."));
}
