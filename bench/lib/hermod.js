import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/engine/start-embedded-engine.js";
import { FREE_PORTS } from "../../scripts/free-ports.js";
import { endProcess } from "./children.js";

const CHECKOUT = path.resolve(import.meta.dirname, "../..");
const START_TIMEOUT_MS = 300_000;

/** Settings that differ from Hermod's defaults during a measurement. */
const SETTINGS = {
  ...FREE_PORTS,
  HERMOD_RATE_LIMIT_KEY: "0",
  HERMOD_RATE_LIMIT_ACCOUNT: "0",
  HERMOD_LOG_LEVEL: "warn",
};

/**
 * @typedef {object} Hermod
 * @property {number} pid
 * @property {string} sendUrl
 * @property {string} baseUrl
 * @property {{ email: string, password: string }} dashboard the first user, with an initial password
 * @property {string} apiKey
 * @property {string} sender
 * @property {() => Promise<Map<string, number>>} metrics what /metrics says, by name (and labels, as they stand there)
 * @property {{ address: string, token: string }} grpc
 * @property {number} smtpPort of the relay
 * @property {() => Promise<void>} stop SIGTERM
 * @property {() => Promise<void>} kill a crash: SIGKILL (SIGTERM when profiling: a profile is written at the end)
 * @property {<T>(read: (db: import("mongodb").Db) => Promise<T>) => Promise<T>} readStore once it has ended
 */

/**
 * Starts the built program as a user does, on free ports, with data of its own.
 * @param {{
 *   roles: string,
 *   directory: string,
 *   checkout?: string | undefined,
 *   profile?: string | undefined,
 *   database?: string,
 *   settings?: Readonly<Record<string, string>>,
 *   cleanUp: import("./clean-up.js").CleanUp,
 * }} options checkout: a folder with another build of the program; profile: a folder for CPU profiles of all its threads; database: on
 *   MONGODB_URL, to start again on what is there; settings: more that differ from the defaults
 * @returns {Promise<Hermod>}
 */
export async function startHermod(options) {
  const { roles, directory, profile, database = databaseName(), settings, cleanUp } = options;
  const program = path.join(options.checkout ?? CHECKOUT, "bin/hermod.js");
  const { MONGODB_URL } = process.env;
  const nodeOptions = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const child = spawn(process.execPath, [...nodeOptions, program, "start", "--role", roles], {
    env: {
      PATH: process.env.PATH,
      ...SETTINGS,
      ...settings,
      HERMOD_DATA_DIR: directory,
      ...(MONGODB_URL && { MONGODB_URL, MONGODB_DATABASE: database, HERMOD_SECRET_KEYS: "0".repeat(64) }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (MONGODB_URL) cleanUp.defer(() => readStore((db) => db.dropDatabase()));
  cleanUp.defer(() => endProcess(child, "SIGKILL"));
  const adminUrl = await untilStarted(child);
  const firstRun = JSON.parse(readFileSync(path.join(directory, "first-run.json"), "utf8"));

  /**
   * @template T
   * @param {(db: import("mongodb").Db) => Promise<T>} read
   */
  async function readStore(read) {
    const engine = MONGODB_URL ? undefined : await startEmbeddedEngine({ directory });
    const client = new MongoClient(MONGODB_URL ?? engine?.url ?? "", { readConcern: { level: "majority" } });
    try {
      return await read(client.db(MONGODB_URL ? database : "hermod"));
    } finally {
      await client.close();
      await engine?.close();
    }
  }

  return {
    pid: child.pid ?? 0,
    sendUrl: `${firstRun.base_url}/v1/email/send`,
    baseUrl: firstRun.base_url,
    dashboard: firstRun.dashboard,
    apiKey: firstRun.api_key,
    sender: firstRun.sender,
    metrics: async () => {
      const response = await fetch(`${adminUrl}/metrics`);
      const lines = (await response.text())
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"));
      return new Map(
        lines.map((line) => {
          const at = line.lastIndexOf(" ");
          return [line.slice(0, at), Number(line.slice(at + 1))];
        }),
      );
    },
    grpc: firstRun.grpc,
    smtpPort: firstRun.smtp.port,
    stop: () => endProcess(child, "SIGTERM"),
    kill: () => endProcess(child, profile === undefined ? "SIGKILL" : "SIGTERM"),
    readStore,
  };
}

/** One that is not there yet. */
export function databaseName() {
  return `hermod_bench_${randomBytes(6).toString("hex")}`;
}

/** @param {import("node:child_process").ChildProcess} child */
async function untilStarted(child) {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const adminUrl = /Sandbox +(http:\S+)\/sandbox/.exec(output)?.[1];
    if (adminUrl) return adminUrl;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("Hermod did not start.");
    if (Date.now() > deadline) throw new Error("Hermod did not start in time.");
    await sleep(20);
  }
}

/**
 * Deliveries that have come to an end so far.
 * @param {Map<string, number>} metrics
 */
export function deliveries(metrics) {
  let count = 0;
  for (const [name, value] of metrics) if (name.startsWith("hermod_deliveries_total")) count += value;
  return count;
}
