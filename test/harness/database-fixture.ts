import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { BSON, type Document, type IndexDescription, MongoClient } from "mongodb";
import type { Accepted } from "./http.ts";
import { type FirstRunFile, newSettings } from "./start-hermod.ts";

/** Database contents of a release, as recorded by scripts/make-database-fixture.js. */
export interface FixtureContents {
  /** Missing: 1, because the release did not store it. */
  readonly schemaVersion?: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly firstRun: FirstRunFile;
  readonly credentials: {
    readonly sendOnlyKey: string;
    readonly revokedKey: string;
    readonly smtp: { readonly username: string; readonly password: string };
  };
  readonly submissions: readonly {
    readonly idempotencyKey: string;
    readonly request: { readonly text?: string };
    /** Number of repetitions of the text. */
    readonly repeatText: number;
    readonly answer: Accepted;
  }[];
  readonly relayed: readonly {
    readonly to: readonly string[];
    readonly source: string;
    readonly response: string;
  }[];
  readonly messages: readonly {
    readonly id: string;
    readonly traceId: string;
    readonly state: string;
    readonly recipient: string;
    readonly subject: string;
    readonly timeline: readonly string[];
  }[];
  readonly quarantined: readonly { readonly id: string; readonly reason: string }[];
  readonly dkim: readonly { readonly selector: string; readonly recordValue: string }[];
}

const FOLDER = path.resolve(import.meta.dirname, "../fixtures/databases");

/** All releases with a stored database. */
export const fixtureVersions = readdirSync(FOLDER).sort();

/**
 * Copies the database of a release: the embedded engine's file into a data folder, or the data to the server at
 * MONGODB_URL.
 * @returns the settings of a Hermod that opens it
 */
export async function copyFixture(
  version: string,
): Promise<{ readonly env: NodeJS.ProcessEnv; readonly contents: FixtureContents }> {
  const read = (name: string) => readFileSync(path.join(FOLDER, version, name));
  const contents = JSON.parse(read("contents.json").toString()) as FixtureContents;
  const env = { ...(await newSettings()), ...contents.settings };
  const inDataDir = (name: string) => path.join(env.HERMOD_DATA_DIR ?? "", name);
  await writeFile(inDataDir("first-run.json"), JSON.stringify(contents.firstRun));
  const { MONGODB_URL, MONGODB_DATABASE } = env;
  if (MONGODB_URL === undefined) {
    await writeFile(inDataDir("hermod.sqlite"), gunzipSync(read("hermod.sqlite.gz")));
  } else {
    await loadDump(gunzipSync(read("dump.bson.gz")), MONGODB_URL, MONGODB_DATABASE ?? "");
  }
  return { env, contents };
}

/**
 * Loads the format of scripts/fixture-world.js: the indexes of all collections, then every document with its
 * collection.
 */
async function loadDump(dump: Buffer, url: string, database: string): Promise<void> {
  const [indexes, ...documents] = bsonDocuments(dump);
  const client = new MongoClient(url);
  try {
    const db = client.db(database);
    for (const [collection, specs] of Object.entries(indexes ?? {})) {
      // The same names and options, with this server's own version.
      const descriptions = (specs as Document[]).map(({ v, ...spec }) => spec as IndexDescription);
      await db.collection(collection).createIndexes(descriptions);
      const own = documents.filter((one) => one.collection === collection);
      if (own.length > 0) await db.collection(collection).insertMany(own.map(({ document }) => document));
    }
  } finally {
    await client.close();
  }
}

function bsonDocuments(bytes: Buffer): Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    const document = bytes.subarray(at, at + bytes.readInt32LE(at));
    documents.push(BSON.deserialize(document, { promoteValues: false, promoteLongs: false }));
  }
  return documents;
}
