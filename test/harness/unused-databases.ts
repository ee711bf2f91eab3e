import { randomBytes } from "node:crypto";
import type { Db, MongoClient } from "mongodb";
import { inLanes } from "../../src/shared/in-lanes.ts";
import { createIndexes } from "../../src/store/indexes.ts";

/** The setting that names the databases of this run of the tests: at its end they are dropped. */
const RUN = "HERMOD_TEST_RUN";
/** So many others are used first: what somebody had under way when he closed the database has come to its end by then. */
const MIN_RESTING = 3;
const LANES = 16;
/** What a test abandons in a transaction keeps others from the document for longer, on a server that takes a limit. */
const LIMIT = process.env.MONGODB_URL ? { maxTimeMS: 2_000 } : {};
/** Who sends these makes the database another one than it was. */
const SHAPING = new Set([
  "collMod",
  "createIndexes",
  "drop",
  "dropDatabase",
  "dropIndexes",
  "renameCollection",
]);

/** Those of this worker of which nobody has any use, the longest unused first. */
const resting: string[] = [];
/** What a database has before it is used. */
let pristine: readonly string[] = [];

export interface LentDatabase {
  readonly db: Db;
  /** For the next one who wants a database. The client is closed by then. */
  giveBack(): void;
}

/** Names the databases of this run; called before its workers begin. */
export function beginRun(): void {
  process.env[RUN] = `hermod_test_${randomBytes(4).toString("hex")}`;
}

/** Drops them. */
export async function endRun(client: MongoClient): Promise<void> {
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const ofRun = databases.filter(({ name }) => name.startsWith(`${process.env[RUN]}_`));
  await inLanes(ofRun, 2, async ({ name }) => void (await client.db(name).dropDatabase()));
}

/**
 * An empty database with Hermod's indexes on the client's server. A worker uses its databases again: to make the indexes takes the
 * server ten times as long as to empty them.
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
      // A test may close its store twice: two later tests must not have one database.
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

/** undefined: it cannot be had as it was. */
async function emptied(client: MongoClient, name: string): Promise<Db | undefined> {
  const db = client.db(name);
  const present = new Set(await collectionsOf(db));
  if (!pristine.every((collection) => present.delete(collection))) return undefined;
  try {
    for (const collection of present) await db.dropCollection(collection);
    await inLanes(pristine, LANES, async (collection) => {
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
