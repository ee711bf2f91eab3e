// The environment in which a database fixture is created: a Hermod as a user starts it, the Internet to which it delivers, and the
// copy of its database (scripts/make-database-fixture.js).
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import * as wire from "dns-packet";
import { BSON, MongoClient } from "mongodb";
import { SMTPServer } from "smtp-server";
import { startEmbeddedEngine } from "../dist/src/engine/start-embedded-engine.js";
import { connectCoreClient } from "../dist/src/rpc/client.js";

const MAIN = new URL("../bin/hermod.js", import.meta.url).pathname;
const PRELOAD = new URL("../test/nemesis/preload.js", import.meta.url).href;

/**
 * Starts Hermod with the wall clock at another time, and waits until it runs.
 * @param {string} roles as --role takes them
 * @param {Record<string, string>} settings with HERMOD_DATA_DIR
 * @param {number} clockMs how far the wall clock is ahead
 */
export async function startHermod(roles, settings, clockMs) {
  const dataDir = settings.HERMOD_DATA_DIR;
  const disturbance = path.join(path.dirname(dataDir), "disturbance.json");
  writeFileSync(disturbance, JSON.stringify({ clockMs, stallMs: 0 }));
  const child = spawn(process.execPath, [MAIN, "start", "--role", roles], {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      HERMOD_TEST_DISTURBANCE: disturbance,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close");
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("Hermod is running")) resolve();
    });
    ended.then(() => reject(new Error(`Hermod has ended:\n${stderr}`)));
  });
  const firstRun = JSON.parse(readFileSync(path.join(dataDir, "first-run.json"), "utf8"));
  const { address, token } = firstRun.grpc;
  const core = connectCoreClient({ address, token, deadlineMs: 20_000 });
  return {
    firstRun,
    core,
    stop: async () => {
      core.close();
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * The mail server of example.org, and DNS that leads there: `gone@` does not exist, `later@` is refused for now.
 */
export async function startInternet() {
  const refusals = { gone: [550, "5.1.1 no such user"], later: [451, "4.2.1 come again"] };
  const mx = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      const [responseCode, text] = refusals[address.split("@", 1)[0]] ?? [];
      done(text === undefined ? null : Object.assign(new Error(text), { responseCode }));
    },
    onData: (stream, _session, done) => {
      stream.resume().on("end", () => done(null, "queued"));
    },
  });
  mx.on("error", () => undefined);
  await new Promise((resolve) => mx.listen(0, "127.0.0.1", resolve));

  const dns = createSocket("udp4");
  dns.on("message", (message, { address, port }) => {
    const { id, questions = [] } = wire.decode(message);
    const [{ name = "", type = "A" } = {}] = questions;
    const data =
      type === "MX" && name === "example.org"
        ? { preference: 10, exchange: "mx.example.org" }
        : type === "A" && name === "mx.example.org"
          ? "127.0.0.1"
          : undefined;
    const flags =
      wire.RECURSION_DESIRED | wire.RECURSION_AVAILABLE | (data || name === "mx.example.org" ? 0 : 3);
    const answers = data === undefined ? [] : [{ name, type, ttl: 300, data }];
    dns.send(wire.encode({ id, type: "response", flags, questions, answers }), port, address);
  });
  dns.bind(0, "127.0.0.1");
  await once(dns, "listening");
  return {
    settings: {
      HERMOD_DNS_SERVERS: `127.0.0.1:${dns.address().port}`,
      HERMOD_MX_PORT: String(mx.server.address().port),
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    },
    close: async () => {
      dns.close();
      await new Promise((resolve) => mx.close(resolve));
    },
  };
}

/** Changes what the running Hermod in this folder has stored. */
export async function withStore(dataDir, use) {
  const socket = encodeURIComponent(path.join(dataDir, "engine.sock"));
  const client = new MongoClient(`mongodb://${socket}/?directConnection=true`);
  try {
    return await use(client.db("hermod"));
  } finally {
    await client.close();
  }
}

/**
 * Writes the database of a Hermod that has ended to `target`: the embedded engine's file as it is, and all collections
 * with their indexes as one file that any MongoDB can be filled from. The first BSON document of that file has the
 * indexes, by collection; each other one is `{ collection, document }`.
 */
export async function copyDatabase(dataDir, target) {
  const engine = await startEmbeddedEngine({ directory: dataDir });
  const client = new MongoClient(engine.url);
  const db = client.db("hermod");
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const indexes = {};
  const documents = [];
  for (const collection of names) {
    indexes[collection] = await db.collection(collection).listIndexes().toArray();
    // Numbers keep the type that they are stored with.
    const options = { promoteValues: false, promoteLongs: false };
    const found = await db.collection(collection).find({}, options).sort({ _id: 1 }).toArray();
    documents.push(...found.map((document) => ({ collection, document })));
  }
  const dump = [indexes, ...documents].map((document) => BSON.serialize(document));
  await client.close();
  await engine.close();
  const file = readFileSync(path.join(dataDir, "hermod.sqlite"));
  const gzip = (bytes) => gzipSync(bytes, { level: 9 });
  writeFileSync(path.join(target, "hermod.sqlite.gz"), gzip(file));
  writeFileSync(path.join(target, "dump.bson.gz"), gzip(Buffer.concat(dump)));
  return { collections: names.length, documents: documents.length };
}
