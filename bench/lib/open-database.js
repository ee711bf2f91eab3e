import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/engine/start-embedded-engine.js";

/**
 * A client of the server at MONGODB_URL, or of an embedded engine in this process.
 * @param {string} directory @param {import("./clean-up.js").CleanUp} cleanUp
 */
export async function openDatabase(directory, cleanUp) {
  const engine = process.env.MONGODB_URL ? undefined : await startEmbeddedEngine({ directory });
  const client = new MongoClient(engine?.url ?? process.env.MONGODB_URL ?? "", {
    writeConcern: { w: "majority", journal: true },
  });
  cleanUp.defer(async () => {
    await client.close();
    await engine?.close();
  });
  return client;
}
