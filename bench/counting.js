import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createIndexes } from "../dist/src/store/indexes.js";
import { createSealing } from "../dist/src/store/sealing/sealing.js";
import { createStore } from "../dist/src/store/store.js";
import { machine } from "./lib/machine.js";
import { openDatabase } from "./lib/open-database.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { sampleMessage } from "./lib/sample-message.js";
import { figure, table } from "./lib/table.js";

const BATCH = 500;

/**
 * Measures how many stored events one process counts and places in the event log, by the number of accounts that send in turn: each
 * account has counters of its own, so that many accounts are the slowest case.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>}
 */
export async function counting(values, cleanUp) {
  const messages = readCount(values, "messages", 10_000);
  const rounds = readCount(values, "rounds", 3);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const results = [];
  for (const accounts of readCounts(values, "accounts", [10, 1_000, 10_000]))
    results.push(await measure(`${directory}/${accounts}`, accounts, messages, rounds, cleanUp));
  const rows = results.map(({ accounts, perSecond }) => [
    String(accounts),
    ...[Math.min(...perSecond), Math.max(...perSecond)].map(figure),
  ]);
  console.log(`${about.command}\n\n${table(["accounts", "events/s, lowest", "highest"], rows)}`);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify({ ...about, results }, null, 2)}\n`);
  return true;
}

/**
 * @param {string} directory
 * @param {number} accounts
 * @param {number} messages
 * @param {number} rounds
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 */
async function measure(directory, accounts, messages, rounds, cleanUp) {
  const client = await openDatabase(directory, cleanUp);
  const db = client.db(`hermod_counting_${process.pid}`);
  try {
    await createIndexes(db);
    const ids = Array.from({ length: accounts }, (_, number) => `acc_${number}`);
    const documents = ids.map((_id) => ({ _id, name: _id, createdAt: new Date() }));
    for (let from = 0; from < accounts; from += BATCH)
      await db.collection("accounts").insertMany(/** @type {any} */ (documents.slice(from, from + BATCH)));
    const store = createStore(db, createSealing([randomBytes(32)])).acrossAccounts;
    const perSecond = [];
    for (let round = 0; round < rounds; round++) {
      await accept(store, ids, messages);
      const startedMs = performance.now();
      await store.journal.fold(new Date());
      await store.eventLog.place();
      while ((await store.eventLog.firstUncounted()) !== undefined) await store.eventLog.countSome();
      perSecond.push((1_000 * messages) / (performance.now() - startedMs));
    }
    await store.journal.close(new Date());
    return { accounts, perSecond };
  } finally {
    await db.dropDatabase();
  }
}

/**
 * @param {import("../dist/src/store/store.js").AcrossAccounts} store
 * @param {readonly string[]} accounts
 * @param {number} messages
 */
async function accept(store, accounts, messages) {
  for (let from = 0; from < messages; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, messages - from) }, (_, index) => ({
      ...sampleMessage(from + index, new Date(), "queued"),
      accountId: accounts[(from + index) % accounts.length],
      keyId: "key_1",
      attempts: 0,
    }));
    await store.messages.insertMany(/** @type {any} */ (batch));
  }
}
