// Ends by process.exit() while the engine writes and reads as fast as it can.
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/store/embedded/start-embedded-engine.js";

const engine = await startEmbeddedEngine({ directory: process.argv[2] });
const client = new MongoClient(engine.url);
const documents = client.db("exit").collection("documents");
await documents.insertMany(Array.from({ length: 500 }, (_, n) => ({ n, text: "x".repeat(50) })));
for (let worker = 0; worker < 4; worker++) {
  (async () => {
    for (let n = 0; ; n++) {
      await documents.updateOne({ n: n % 500 }, { $inc: { times: 1 } });
      await documents.find({}).toArray();
    }
  })();
}
await sleep(100 + 20 * Number(process.argv[3]));
process.exit(7);
