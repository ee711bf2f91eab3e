#!/usr/bin/env node
import { spawn } from "node:child_process";
// Starts a throw-away MongoDB 7 replica set on 127.0.0.1 for the tests, also on a machine without Docker or a MongoDB
// package: `mongod` in PATH if there is one, else the Windows build under Wine.
//
//   node scripts/test-mongodb.js start [--nodes 1|3] [--dir DIR]   prints MONGODB_URL=... as its last line
//   node scripts/test-mongodb.js stop [--dir DIR]                  ends what was started for DIR
//   node scripts/test-mongodb.js kill-node --node HOST:PORT [--dir DIR]    a crash of one node
//   node scripts/test-mongodb.js start-node --node HOST:PORT [--dir DIR]   starts it again on its data
//   node scripts/test-mongodb.js pause-node --node HOST:PORT [--dir DIR]   SIGSTOP: it is silent
//   node scripts/test-mongodb.js resume-node --node HOST:PORT [--dir DIR]  SIGCONT
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MongoClient } from "mongodb";
import { findMongod } from "./test-mongodb-binary.js";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: "string", default: "1" },
    dir: { type: "string", default: path.join(tmpdir(), "hermod-test-mongodb") },
    node: { type: "string" },
  },
});
const dir = path.resolve(values.dir);
// Marks every process that is started for DIR, Wine's helpers included, so that `stop` finds just those.
const MARK = "HERMOD_TEST_MONGODB_DIR";
/** Beginning of a line in a node's log that reports its end. */
const ENDED = "the node ended with status";
/** The nodes of DIR, for the commands about one of them. */
const nodesFile = path.join(dir, "nodes.json");

async function start() {
  await stop();
  const mongod = findMongod(dir);
  rmSync(dir, { recursive: true, force: true });
  const nodes = [];
  for (let i = 0; i < Number(values.nodes); i++) {
    const node = { host: `127.0.0.1:${await freePort()}`, data: path.join(dir, `node${i}`) };
    launch(mongod, node);
    // One after another: the first one makes Wine's folder, which two at once would do badly.
    await answering(node);
    nodes.push(node);
  }
  writeFileSync(nodesFile, JSON.stringify(nodes));
  await initiate(nodes);
  const hosts = nodes.map(({ host }) => host).join(",");
  // Under Wine a server may stall for seconds: the driver should wait rather than give up.
  const url = `mongodb://${hosts}/?replicaSet=rs0&serverSelectionTimeoutMS=60000`;
  await withClient(url, (client) =>
    client
      .db("admin")
      .collection("ready")
      .insertOne({ at: new Date() }, { writeConcern: { w: "majority" } }),
  );
  console.log(`MONGODB_URL=${url}`);
}

function launch(mongod, node) {
  mkdirSync(node.data, { recursive: true });
  const log = openSync(`${node.data}.log`, "a");
  const [, port] = node.host.split(":");
  const args = [
    ...["--dbpath", mongod.pathOf(node.data), "--port", port, "--bind_ip", "127.0.0.1"],
    ...["--replSet", "rs0", "--wiredTigerCacheSizeGB", "0.5"],
    // The databases of tests come and go by the hundred: without this their files stay, and stay open, until no more
    // can be opened.
    ...["--setParameter", "minSnapshotHistoryWindowInSeconds=0"],
    ...[
      "--wiredTigerEngineConfigString",
      "file_manager=(close_idle_time=5,close_handle_minimum=100,close_scan_interval=2)",
    ],
    // Cores are killed in the tests: what they had begun to write is given up sooner than after a minute.
    ...["--setParameter", "transactionLifetimeLimitSeconds=5"],
    // Wine lacks the performance counters that this thread reads: it would end the process.
    ...["--setParameter", "diagnosticDataCollectionEnabled=false"],
  ];
  // Restarts the server like an init system: under Wine it ends by itself, once in many runs. Killing the node also kills this shell.
  const supervised = `while :; do "$@"; echo "${ENDED} $? and is started again"; sleep 1; done`;
  const child = spawn("sh", ["-c", supervised, "mongod", mongod.command, ...mongod.args, ...args], {
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...mongod.env, [MARK]: dir },
  });
  child.unref();
}

async function answering(node) {
  const url = `mongodb://${node.host}/?directConnection=true&serverSelectionTimeoutMS=120000`;
  await withClient(url, (client) => client.db("admin").command({ ping: 1 })).catch((cause) => {
    const end = logOf(node.data).slice(-20).join("\n");
    throw new Error(`mongod did not start; its log ends with:\n${end}`, { cause });
  });
}

async function initiate(nodes) {
  const config = {
    _id: "rs0",
    settings: { electionTimeoutMillis: 2000 },
    members: nodes.map(({ host }, _id) => ({ _id, host })),
  };
  const url = `mongodb://${nodes[0].host}/?directConnection=true&serverSelectionTimeoutMS=60000`;
  await withClient(url, (client) => client.db("admin").command({ replSetInitiate: config }));
}

async function withClient(url, use) {
  const client = new MongoClient(url);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.close();
  }
}

function chosenNode() {
  const node = JSON.parse(readFileSync(nodesFile, "utf8")).find(({ host }) => host === values.node);
  if (!node) throw new Error(`--node: ${dir} has no node "${values.node}"`);
  return node;
}

/** The processes of the chosen node. */
function pidsOfNode() {
  const [, port] = chosenNode().host.split(":");
  return startedFor(dir).filter((pid) => argumentsOf(pid).includes(port));
}

async function killNode() {
  await kill(pidsOfNode);
}

function signalNode(signal) {
  for (const pid of pidsOfNode()) process.kill(pid, signal);
}

async function startNode() {
  const node = chosenNode();
  launch(findMongod(dir), node);
  await answering(node);
}

/** Nothing of value is in the data, so there is no need to be gentle. A node that ended by itself is reported. */
async function stop() {
  const nodes = existsSync(nodesFile) ? JSON.parse(readFileSync(nodesFile, "utf8")) : [];
  for (const { host, data } of nodes) {
    const lines = logOf(data);
    const ends = lines.flatMap((line, index) => (line.startsWith(ENDED) ? [index] : []));
    for (const end of ends)
      console.error(`${host}:\n${lines.slice(Math.max(0, end - 5), end + 1).join("\n")}`);
  }
  await kill(() => startedFor(dir));
  rmSync(nodesFile, { force: true });
}

/** Kills by process id, until none is found. */
async function kill(find) {
  for (let round = 0; round < 50; round++) {
    const pids = find();
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself between the check and the kill.
      }
    }
    await sleep(100);
  }
  throw new Error(`could not end every process of ${dir}`);
}

function startedFor(folder) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        // A zombie process has an empty environment, so it is not found again.
        return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${MARK}=${folder}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** A process that has just ended has none. */
function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Below those that Linux gives to outgoing connections: none of them has it when a node starts again on it. */
async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const isFree = await new Promise((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

const logOf = (data) => (existsSync(`${data}.log`) ? readFileSync(`${data}.log`, "utf8").split("\n") : []);

const verbs = {
  start,
  stop,
  "kill-node": killNode,
  "start-node": startNode,
  "pause-node": () => signalNode("SIGSTOP"),
  "resume-node": () => signalNode("SIGCONT"),
};
const verb = verbs[positionals[0]];
if (!verb) {
  console.error(
    "usage: test-mongodb.js start [--nodes 1|3] | stop | {kill,start,pause,resume}-node --node HOST:PORT, each [--dir DIR]",
  );
  process.exit(2);
}
try {
  await verb();
} catch (error) {
  if (positionals[0] === "start") await stop();
  console.error(error);
  process.exit(1);
}
