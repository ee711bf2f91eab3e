import { randomBytes } from "node:crypto";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/engine/start-embedded-engine.js";
import { MESSAGE_BYTES } from "../lib/message.js";
import { cpuSeconds } from "../lib/process-usage.js";
import { serveParent } from "../lib/serve-parent.js";
import { percentile } from "../lib/statistics.js";

/**
 * Reference (b): the bare driver, one `insertOne` after the other, so many under way at once, acknowledged as Hermod's
 * writes are, on the same kind of store: the embedded engine in a thread beside the driver's, or MONGODB_URL.
 *
 * @typedef {{ open: { directory: string, database: string } } | { close: true }
 *   | { insert: { inFlight: number, warmUpSeconds: number, seconds: number } }} Demand
 */

/** @type {MongoClient | undefined} */
let client;
/** @type {import("../../dist/src/engine/start-embedded-engine.js").EmbeddedEngine | undefined} */
let engine;
/** @type {import("mongodb").Collection<{ _id: string, body: string }> | undefined} */
let collection;
let inserted = 0;

serveParent(async (/** @type {Demand} */ demand) => {
  if ("open" in demand) return open(demand.open);
  if ("insert" in demand) return insert(demand.insert);
  return close();
});

/** @param {{ directory: string, database: string }} options */
async function open({ directory, database }) {
  engine = process.env.MONGODB_URL ? undefined : await startEmbeddedEngine({ directory });
  client = new MongoClient(process.env.MONGODB_URL ?? engine?.url ?? "", {
    writeConcern: { w: "majority", journal: true },
    // As many as there are inserts under way: none waits for a connection.
    maxPoolSize: 1024,
  });
  collection = client.db(database).collection("documents");
  await collection.insertOne({ _id: "first", body: "" });
  return {};
}

/** Counts what is there, and removes a database that is not the embedded engine's own. */
async function close() {
  const stored = (await collection?.countDocuments({})) ?? 0;
  if (!engine) await collection?.db.dropDatabase();
  await client?.close();
  await engine?.close();
  return { complete: stored === inserted + 1 };
}

/**
 * @param {{ inFlight: number, warmUpSeconds: number, seconds: number }} options
 * @returns {Promise<import("./http-load.js").LoadResult>}
 */
async function insert({ inFlight, warmUpSeconds, seconds }) {
  // So much is BSON's own: lengths, types and names, and the id.
  const body = "x".repeat(MESSAGE_BYTES - 52);
  const run = randomBytes(5).toString("hex");
  /** @type {number[]} */
  const latencies = [];
  /** @type {Record<string, number>} */
  const failures = {};
  const before = inserted;
  let count = 0;
  let measuring = false;
  let stopping = false;

  async function insertInTurn() {
    while (!stopping) {
      const startedMs = performance.now();
      try {
        await collection?.insertOne({ _id: `${run}-${String(count++).padStart(15, "0")}`, body });
        inserted++;
        if (measuring) latencies.push(performance.now() - startedMs);
      } catch (error) {
        const kind = error instanceof Error ? error.name : String(error);
        failures[kind] = (failures[kind] ?? 0) + 1;
      }
    }
  }

  const loops = Promise.all(Array.from({ length: inFlight }, insertInTurn));
  await sleep(warmUpSeconds);
  measuring = true;
  const cpuBefore = cpuSeconds(process.pid);
  const startedMs = performance.now();
  await sleep(seconds);
  const elapsedMs = performance.now() - startedMs;
  const cpuAfter = cpuSeconds(process.pid);
  measuring = false;
  const sorted = Float64Array.from(latencies).sort();
  stopping = true;
  await loops;
  return {
    acceptedPerSecond: (sorted.length / elapsedMs) * 1000,
    accepted: sorted.length,
    acceptedInAll: inserted - before,
    failed: Object.values(failures).reduce((sum, failed) => sum + failed, 0),
    failures,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    ...(cpuBefore &&
      cpuAfter && {
        cpu: {
          process: cpuAfter.process - cpuBefore.process,
          mainThread: cpuAfter.mainThread - cpuBefore.mainThread,
        },
      }),
    loadCpuSeconds: 0,
  };
}

/** @param {number} seconds */
function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
