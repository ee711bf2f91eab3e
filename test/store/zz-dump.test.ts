import { mkdirSync, writeFileSync } from "node:fs";
import { MongoClient } from "mongodb";
import { it } from "vitest";
import { GROUPS } from "./conformance/groups.ts";
import { runGroup } from "./conformance/scenario.ts";
import { startEngine } from "./harness.ts";

it("dump", async () => {
  const engine = await startEngine();
  const client = new MongoClient(engine.url, { promoteValues: false });
  mkdirSync("/tmp/eng/actual", { recursive: true });
  for (const [name, scenarios] of Object.entries(GROUPS)) {
    try {
      writeFileSync(`/tmp/eng/actual/${name}.json`, await runGroup((db) => client.db(db), name, scenarios));
    } catch (e) {
      writeFileSync("/tmp/eng/err", String(e));
    }
  }
  await client.close();
  await engine.close();
});
