import { EJSON } from "bson";
import { type Db, type Document, MongoBulkWriteError, MongoServerError } from "mongodb";

/** An operation of the store. It returns a value that can be compared between two servers. */
export type Scenario = (db: Db) => Promise<unknown>;

export type ScenarioGroup = Readonly<Record<string, Scenario>>;

/** The result of an operation, or its error as far as MongoDB keeps it stable. */
export async function attempt(operation: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await operation() };
  } catch (error) {
    if (error instanceof MongoBulkWriteError) {
      const written = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
      return {
        insertedCount: error.insertedCount,
        matchedCount: error.matchedCount,
        modifiedCount: error.modifiedCount,
        deletedCount: error.deletedCount,
        upsertedCount: error.upsertedCount,
        writeErrors: written.map(({ index, code, errmsg, err }) => ({
          index,
          code,
          errmsg,
          keyPattern: (err as Document).keyPattern,
          keyValue: (err as Document).keyValue,
        })),
      };
    }
    if (error instanceof MongoServerError) {
      const { code, codeName, message, keyPattern, keyValue } = error;
      return { code, codeName, message, keyPattern, keyValue, labels: error.errorLabels };
    }
    return { clientError: (error as Error).message };
  }
}

/** As `attempt`, but with only the code of an error: for messages that name internals of the server. */
export async function attemptCode(operation: () => Promise<unknown>): Promise<unknown> {
  const outcome = (await attempt(operation)) as Document;
  return "code" in outcome ? { code: outcome.code, codeName: outcome.codeName } : outcome;
}

const UNSTABLE = new Set(["$clusterTime", "operationTime", "electionId", "opTime", "uuid", "lsid"]);

/** Text with the BSON type of every value; fields that differ between any two servers are left out. */
export function comparable(value: unknown): string {
  const plain = EJSON.serialize(value as Document, { relaxed: false });
  return JSON.stringify(plain, (key, item) => (UNSTABLE.has(key) ? undefined : item), 1);
}

/** Runs all scenarios of a group, each in an empty database of its own. */
export async function runGroup(
  databaseOf: (name: string) => Db,
  group: string,
  scenarios: ScenarioGroup,
): Promise<string> {
  const results: Record<string, unknown> = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    const db = databaseOf(`conformance_${group}`);
    await db.dropDatabase();
    results[name] = JSON.parse(comparable({ value: await scenario(db) })).value;
    await db.dropDatabase();
  }
  return `${JSON.stringify(results, undefined, 1)}\n`;
}
