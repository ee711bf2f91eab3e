import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS } from "./groups.ts";
import { runGroup } from "./scenario.ts";

const { MONGODB_URL } = process.env;

/**
 * The same scenarios on a real server, so that the expected results of the embedded engine stay those of MongoDB.
 * Run with `-u` and MONGODB_URL set to record new expected results.
 */
describe.skipIf(!MONGODB_URL)("MongoDB answers as recorded", () => {
  let client: MongoClient;

  beforeAll(() => {
    client = new MongoClient(MONGODB_URL as string, { promoteValues: false });
  });
  afterAll(() => client?.close());

  for (const [name, scenarios] of Object.entries(GROUPS)) {
    it(name, { timeout: 120_000 }, async () => {
      const results = await runGroup((db) => client.db(db), name, scenarios);
      await expect(results).toMatchFileSnapshot(`./expected/${name}.snap`);
    });
  }
});
