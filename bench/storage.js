import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DATABASE_FILE } from "../dist/src/engine/storage/database.js";
import { startChild } from "./lib/children.js";
import { prepareHermod } from "./lib/hermod-delivery.js";
import { machine } from "./lib/machine.js";
import { MESSAGE_BYTES } from "./lib/message.js";
import { commandLine, readCount, readText } from "./lib/options.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { startSink } from "./lib/sink.js";
import { figure, table } from "./lib/table.js";

/** Collections with fewer bytes for each message are left out. */
const MIN_BYTES = 1;
const CONNECTIONS = 32;

/**
 * @typedef {object} Kept what a collection has for each message that was delivered, in bytes
 * @property {string} collection
 * @property {number} documents
 * @property {number} bytes of its documents, as they were written
 * @property {number} [diskBytes] of its file: compressed
 * @property {number} [indexBytes] of the files of its indexes
 */

/**
 * Measures the stored data of each accepted and delivered message, for the sizing of disks.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<boolean>}
 */
export async function storage(values, cleanUp) {
  const messages = readCount(values, "messages", 20_000);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const sink = await startSink(directory, cleanUp);
  const load = startChild("http-load", cleanUp);
  const home = path.join(directory, "hermod");
  const hermod = await prepareHermod({
    directory: home,
    sink,
    signs: false,
    load,
    warmUp: Math.min(messages, 1_000),
    cleanUp,
  });
  await hermod.start();
  await hermod.endToEnd(CONNECTIONS, messages);
  await hermod.stop();

  const { all, kept } = await hermod.readStore(async (db) => {
    const all = await db.collection("messages").estimatedDocumentCount();
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const keptIn = process.env.MONGODB_URL ? keptInFiles : keptInOneFile;
    const kept = await Promise.all(names.map((collection) => keptIn(db, collection, all)));
    const worthwhile = kept.filter(({ bytes }) => bytes >= MIN_BYTES);
    return { all, kept: worthwhile.sort((one, other) => other.bytes - one.bytes) };
  });
  const file = process.env.MONGODB_URL ? undefined : statSync(path.join(home, "data", DATABASE_FILE));
  const fileBytes = file && file.size / all;

  const heads = ["for each message", "documents", "bytes", "on disk", "indexes"];
  const rows = kept.map(({ collection, documents, bytes, diskBytes, indexBytes }) => [
    collection,
    ...[documents, bytes, diskBytes, indexBytes].map(figure),
  ]);
  const sum = (/** @type {"bytes" | "diskBytes" | "indexBytes"} */ field) =>
    figure(kept.reduce((total, one) => total + (one[field] ?? Number.NaN), 0));
  rows.push([
    "together",
    "",
    sum("bytes"),
    fileBytes ? figure(fileBytes) : sum("diskBytes"),
    sum("indexBytes"),
  ]);
  console.log(`${about.command}\n${all} messages with ${MESSAGE_BYTES} bytes of JSON each, delivered\n`);
  console.log(table(heads, rows));
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify({ ...about, messages: all, fileBytes, kept }, null, 2)}\n`);
  return true;
}

/**
 * @param {import("mongodb").Db} db
 * @param {string} collection
 * @param {number} messages
 * @returns {Promise<Kept>}
 */
async function keptInFiles(db, collection, messages) {
  // The sizes of files are known after a checkpoint.
  await db.admin().command({ fsync: 1 });
  const stats = await db.command({ collStats: collection });
  const [documents, bytes, diskBytes, indexBytes] = [
    stats.count,
    stats.size,
    stats.storageSize,
    stats.totalIndexSize,
  ].map((each) => Number(each) / messages);
  return { collection, documents: documents ?? 0, bytes: bytes ?? 0, diskBytes, indexBytes };
}

/**
 * The embedded engine keeps all in one file.
 * @param {import("mongodb").Db} db
 * @param {string} collection
 * @param {number} messages
 * @returns {Promise<Kept>}
 */
async function keptInOneFile(db, collection, messages) {
  let [documents, bytes] = [0, 0];
  for await (const document of db.collection(collection).find({}, { raw: true })) {
    documents++;
    bytes += /** @type {Uint8Array} */ (/** @type {unknown} */ (document)).length;
  }
  return { collection, documents: documents / messages, bytes: bytes / messages };
}
