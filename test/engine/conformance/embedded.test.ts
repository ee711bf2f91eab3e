import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningEngine, startEngine } from "../harness.ts";
import { GROUPS } from "./groups.ts";
import { runGroup } from "./scenario.ts";

/** The expected results were recorded from MongoDB 7.0: see mongodb.test.ts. */
describe("the embedded engine answers like MongoDB", () => {
  let engine: RunningEngine;
  let client: MongoClient;

  beforeAll(async () => {
    engine = await startEngine();
    client = new MongoClient(engine.url, { promoteValues: false });
  });
  afterAll(async () => {
    await client?.close();
    await engine?.close();
  });

  for (const [name, scenarios] of Object.entries(GROUPS)) {
    it(name, async () => {
      const results = await runGroup((db) => client.db(db), name, scenarios);
      await expect(results).toMatchFileSnapshot(`./expected/${name}.snap`);
    });
  }
});
