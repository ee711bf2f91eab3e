// Writes to an embedded engine as fast as it can, naming each acknowledged write on stdout, until it is killed.
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/engine/start-embedded-engine.js";

const [, , directory] = process.argv;
const threadEntry = new URL("../../dist/program/thread.js", import.meta.url);
const engine = await startEmbeddedEngine({ directory, threadEntry });
const client = await new MongoClient(engine.url, { maxPoolSize: 32 }).connect();
const db = client.db("crash");
await db.collection("ones").createIndex({ n: 1 }, { unique: true });

const say = (kind, value) => process.stdout.write(`${kind} ${value}\n`);
let next = 0;

async function insertOnes() {
  for (;;) {
    const n = next++;
    await db.collection("ones").insertOne({ _id: `one-${n}`, n, pad: "x".repeat(500) });
    say("one", n);
  }
}

async function insertPairs() {
  const session = client.startSession();
  for (;;) {
    const n = next++;
    await session.withTransaction(async () => {
      await db.collection("left").insertOne({ _id: n }, { session });
      await db.collection("right").insertOne({ _id: n }, { session });
    });
    say("pair", n);
  }
}

async function countUp() {
  for (let n = 1; ; n++) {
    await db.collection("counter").updateOne({ _id: "c" }, { $inc: { n: 1 } }, { upsert: true });
    say("count", n);
  }
}

await Promise.all([...Array.from({ length: 20 }, insertOnes), insertPairs(), insertPairs(), countUp()]);
