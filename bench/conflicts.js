import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { createIndexes } from "../dist/src/store/indexes.js";
import { createSealing } from "../dist/src/store/sealing/sealing.js";
import { createStore } from "../dist/src/store/store.js";
import { machine } from "./lib/machine.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { sampleMessage } from "./lib/sample-message.js";
import { table } from "./lib/table.js";

const ACCOUNTS = 20;
const BATCH = 50;
const PLACE_MS = 500;

/**
 * Counts the transactions that MongoDB aborts while several processes store messages of the same accounts and count them once a
 * second, all at the same moment.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>}
 */
export async function conflicts(values, cleanUp) {
  const url = process.env.MONGODB_URL;
  if (!url) throw new Error("conflicts: MONGODB_URL is needed, because the embedded engine has one writer.");
  const seconds = readCount(values, "seconds", 15);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const results = [];
  for (const writers of readCounts(values, "writers", [1, 5, 20]))
    results.push(await measure(url, writers, seconds));
  const rows = results.map(({ writers, messages, started, aborted, writeConflicts }) => [
    String(writers),
    String(messages),
    String(started),
    String(aborted),
    `${((100 * aborted) / started).toFixed(1)} %`,
    String(writeConflicts),
  ]);
  const heads = ["writers", "messages", "transactions", "aborted", "share", "write conflicts"];
  console.log(`${about.command}\n\n${table(heads, rows)}`);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify({ ...about, results }, null, 2)}\n`);
  return true;
}

/** @param {string} url @param {number} writers @param {number} seconds */
async function measure(url, writers, seconds) {
  const client = new MongoClient(url, { writeConcern: { w: "majority", journal: true }, maxPoolSize: 200 });
  const db = client.db(`hermod_conflicts_${process.pid}`);
  try {
    await createIndexes(db);
    const sealing = createSealing([randomBytes(32)]);
    const accounts = Array.from({ length: ACCOUNTS }, (_, number) => `acc_${number}`);
    const documents = accounts.map((_id) => ({ _id, name: _id, createdAt: new Date() }));
    await db.collection("accounts").insertMany(/** @type {any} */ (documents));
    const stores = Array.from({ length: writers }, () => createStore(db, sealing).acrossAccounts);
    const before = await counted(db);
    const endMs = Date.now() + seconds * 1_000;
    let messages = 0;
    /** @param {(typeof stores)[number]} store */
    const write = async (store) => {
      while (Date.now() < endMs) {
        const batch = Array.from({ length: BATCH }, () => {
          const number = messages++;
          return {
            ...sampleMessage(number, new Date(), "queued"),
            accountId: accounts[number % ACCOUNTS],
            keyId: "key_1",
            attempts: 0,
          };
        });
        await store.messages.insertMany(/** @type {any} */ (batch));
        // All processes count at the turn of the second.
        await sleep(1_000 - (Date.now() % 1_000));
        await store.journal.fold(new Date());
      }
    };
    const place = async () => {
      while (Date.now() < endMs) {
        await Promise.all(stores.map((store) => store.eventLog.placeIfFree()));
        await Promise.all(stores.map((store) => store.eventLog.countSome()));
        await sleep(PLACE_MS);
      }
    };
    await Promise.all([...stores.map(write), place()]);
    for (const store of stores) await store.journal.close(new Date());
    const after = await counted(db);
    return {
      writers,
      messages,
      started: after.started - before.started,
      aborted: after.aborted - before.aborted,
      writeConflicts: after.writeConflicts - before.writeConflicts,
    };
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

/** @param {import("mongodb").Db} db */
async function counted(db) {
  const { transactions, metrics } = await db.admin().serverStatus();
  return {
    started: Number(transactions.totalStarted),
    aborted: Number(transactions.totalAborted),
    writeConflicts: Number(metrics.operation.writeConflicts),
  };
}
