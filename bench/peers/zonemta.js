import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MongoClient } from "mongodb";
import { endProcess } from "../lib/children.js";
import { databaseName } from "../lib/hermod.js";
import { installPackage } from "../lib/install-package.js";
import { RECIPIENT_DOMAIN } from "../lib/message.js";
import { freePort, untilGreeting, untilListening } from "../lib/ports.js";

const VERSION = "3.10.3";
/** On PATH. */
const REDIS = "redis-server";
const CONNECTIONS = 20;
/** Its default of 5 for a domain makes a worker that is over it stop the whole zone for seconds. */
const CONNECTIONS_TO_DOMAIN = 1_000;

/**
 * ZoneMTA from npm, when there is what it needs.
 * @param {string} directory
 * @param {string | undefined} mongodb
 * @returns {{ program: string, mongodb: string }}
 * @throws Error saying what is missing
 */
export function installZoneMta(directory, mongodb) {
  if (!mongodb) throw new Error("ZoneMTA needs a MongoDB: --mongodb URL");
  try {
    execFileSync(REDIS, ["--version"], { stdio: "ignore" });
  } catch {
    throw new Error("ZoneMTA needs Redis: Debian's package redis-server is not installed");
  }
  return { program: installPackage({ name: "zone-mta", version: VERSION, directory }), mongodb };
}

/**
 * ZoneMTA with a Redis of its own and its default configuration, but for ports, a next host for all mail and the
 * number of its connections.
 * @param {{
 *   program: string,
 *   mongodb: string,
 *   directory: string,
 *   sinkPort: number,
 *   cleanUp: import("../lib/clean-up.js").CleanUp,
 * }} options program: its folder
 * @returns {Promise<import("../lib/relay-subjects.js").Relay>}
 */
export async function startZoneMta({ program, mongodb, directory, sinkPort, cleanUp }) {
  const ports = {
    smtp: await freePort(),
    redis: await freePort(),
    api: await freePort(),
    queue: await freePort(),
  };
  const database = databaseName();
  cleanUp.defer(() => dropDatabase(mongodb, database));
  const data = path.join(directory, "redis");
  mkdirSync(data);
  const listen = ["--bind", "127.0.0.1", "--port", String(ports.redis)];
  const redis = spawn(REDIS, [...listen, "--dir", data], { stdio: "ignore" });
  const stopRedis = cleanUp.defer(() => endProcess(redis, "SIGTERM"));
  await untilListening(ports.redis);

  const settings = {
    dbs: { mongo: withDatabase(mongodb, database), redis: { host: "127.0.0.1", port: ports.redis } },
    smtpInterfaces: { feeder: { host: "127.0.0.1", port: ports.smtp } },
    mtaSts: { enabled: false },
    api: { host: "127.0.0.1", port: ports.api },
    queueServer: { host: "127.0.0.1", port: ports.queue },
    zones: { default: { host: "127.0.0.1", port: sinkPort, connections: CONNECTIONS } },
    domainConfig: { [RECIPIENT_DOMAIN]: { maxConnections: CONNECTIONS_TO_DOMAIN } },
  };
  const file = path.join(directory, "zone-mta.json");
  writeFileSync(file, JSON.stringify(settings));
  const server = spawn(process.execPath, ["app.js", `--config=${file}`], { cwd: program, stdio: "ignore" });
  const stopServer = cleanUp.defer(() => endProcess(server, "SIGTERM"));
  await untilGreeting(ports.smtp);
  return {
    port: ports.smtp,
    pids: () => [server.pid ?? 0, redis.pid ?? 0],
    stop: () => stopServer().then(stopRedis),
  };
}

/**
 * @param {string} url
 * @param {string} database
 */
function withDatabase(url, database) {
  return url.replace(/^([^:]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);
}

/**
 * @param {string} url
 * @param {string} database
 */
async function dropDatabase(url, database) {
  const client = new MongoClient(url);
  await client.db(database).dropDatabase();
  await client.close();
}
