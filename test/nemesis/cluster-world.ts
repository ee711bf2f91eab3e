import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import type { MailNetwork } from "../harness/mail-network.ts";
import { connectCore, type FirstRunFile, newSettings, removeData } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { type Link, openLink } from "./link.ts";
import { routeDirectly } from "./queue.ts";
import { type Supervised, supervise } from "./supervised.ts";
import type { Database, FrontEnd, Undo, World } from "./world.ts";

export interface ReplicaSetAt {
  readonly url: string;
  /** Folder of scripts/test-mongodb.js. */
  readonly directory: string;
}

const CORES = 2;
const WORKERS = 3;
const FRONT_ENDS = 2;

/**
 * Two cores, three workers and two front ends on a replica set of three nodes. Each caller of a core has a link of its
 * own to it, and each process that uses the store one to each node.
 */
export async function startClusterWorld(
  network: MailNetwork,
  settings: Readonly<Record<string, string>>,
  replicaSet: ReplicaSetAt,
): Promise<World> {
  const common: NodeJS.ProcessEnv = {
    ...network.settings,
    ...settings,
    HERMOD_GRPC_TOKEN: randomBytes(32).toString("base64url"),
    // The default timeout: a server under Wine needs more than an installation.
    MONGODB_URL: replicaSet.url.replace(/[?&]serverSelectionTimeoutMS=\d+/, ""),
    MONGODB_DATABASE: `hermod_nemesis_${randomBytes(6).toString("hex")}`,
  };
  const processes: Supervised[] = [];
  const coreLinks: Link[] = [];
  const storeLinks: Link[] = [];
  const nodes = hostsOf(replicaSet.url);
  const corePorts: number[] = [];
  let firstEnv: NodeJS.ProcessEnv = {};

  for (let index = 1; index <= CORES; index++) {
    const port = await freePort();
    const env = { ...(await newSettings()), ...common, HERMOD_GRPC_PORT: String(port) };
    const name = `core ${index}`;
    processes.push(await supervise({ name, env, roles: "core", redirects: await toNodes(name) }));
    corePorts.push(port);
    if (index === 1) firstEnv = env;
  }

  /** Both cores, at the addresses for one caller. */
  async function cores(caller: string): Promise<string> {
    const own: Link[] = [];
    for (const [index, port] of corePorts.entries()) {
      const target = { host: "127.0.0.1", port };
      own.push(await openLink({ from: caller, to: `core ${index + 1}`, target }));
    }
    coreLinks.push(...own);
    return own.map(({ port }) => `127.0.0.1:${port}`).join(",");
  }

  /** All nodes, at the addresses for one process: the driver knows them by their own addresses. */
  async function toNodes(from: string): Promise<Record<string, number>> {
    const ports: Record<string, number> = {};
    for (const [index, { host, port }] of nodes.entries()) {
      const link = await openLink({ from, to: `node ${index + 1}`, target: { host, port } });
      storeLinks.push(link);
      ports[`${host}:${port}`] = link.port;
    }
    return ports;
  }

  for (let index = 1; index <= WORKERS; index++) {
    const name = `worker ${index}`;
    const env = { ...(await newSettings()), ...common, HERMOD_GRPC_ADDRESS: await cores(name) };
    processes.push(await supervise({ name, env, roles: "worker", redirects: await toNodes(name) }));
  }
  const frontEnds: FrontEnd[] = [];
  for (let index = 1; index <= FRONT_ENDS; index++) {
    const name = `front end ${index}`;
    const [httpPort, smtpPort] = [await freePort(), await freePort()];
    const {
      MONGODB_URL: _url,
      MONGODB_DATABASE: _database,
      ...rest
    } = { ...(await newSettings()), ...common };
    const env = {
      ...rest,
      HERMOD_GRPC_ADDRESS: await cores(name),
      HERMOD_HTTP_PORT: String(httpPort),
      HERMOD_SMTP_PORT: String(smtpPort),
    };
    processes.push(await supervise({ name, env, roles: "edge,smtp" }));
    frontEnds.push({ name, sendUrl: `http://127.0.0.1:${httpPort}/v1/email/send`, smtpPort });
  }

  const dataDir = firstEnv.HERMOD_DATA_DIR ?? "";
  const firstRun = JSON.parse(await readFile(path.join(dataDir, "first-run.json"), "utf8")) as FirstRunFile;
  const core = connectCore(firstEnv, firstRun.grpc);
  await routeDirectly(core);
  core.close();
  return {
    name: `${CORES} cores, ${WORKERS} workers, ${FRONT_ENDS} front ends, three nodes`,
    frontEnds,
    apiKey: firstRun.api_key,
    smtp: firstRun.smtp,
    processes,
    coreLinks,
    storeLinks,
    network,
    database: databaseOf(replicaSet),
    fillDisk: undefined,
    slowStore: async (ms) => {
      for (const link of storeLinks) link.slow(ms / 2);
      return async () => {
        for (const link of storeLinks) link.heal();
      };
    },
    withStore: (use) => withStore({ env: firstEnv, dataDir }, use),
    dispose: async () => {
      await Promise.all(processes.map((one) => one.dispose()));
      await Promise.all([...coreLinks, ...storeLinks].map((link) => link.close()));
      await removeData(firstEnv);
    },
  };
}

const run = promisify(execFile);
const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/test-mongodb.js");

function hostsOf(url: string): readonly { readonly host: string; readonly port: number }[] {
  const [, hosts = ""] = /^mongodb:\/\/([^/]*)/.exec(url) ?? [];
  return hosts.split(",").map((one) => {
    const [host = "", port] = one.split(":");
    return { host, port: Number(port) };
  });
}

function databaseOf({ url, directory }: ReplicaSetAt): Database {
  async function withAdmin<T>(use: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(url);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  const node = (verb: string, host: string) =>
    run(process.execPath, [SCRIPT, verb, "--node", host, "--dir", directory]);

  async function hosts() {
    const hello = await withAdmin((client) => client.db("admin").command({ hello: 1 }));
    return { primary: String(hello.primary), all: (hello.hosts as string[]).map(String) };
  }

  async function kill(names: readonly string[]): Promise<Undo> {
    for (const name of names) await node("kill-node", name);
    return async () => {
      for (const name of names) await node("start-node", name);
    };
  }

  return {
    // The primary closes the connection over it, on older servers.
    stepDown: () =>
      withAdmin((client) => client.db("admin").command({ replSetStepDown: 5, force: true })).then(
        () => undefined,
        () => undefined,
      ),
    killPrimary: async () => kill([(await hosts()).primary]),
    loseMajority: async () => {
      const { primary, all } = await hosts();
      return kill([primary, ...all.filter((name) => name !== primary).slice(0, 1)]);
    },
    pauseNode: async (which) => {
      const { primary, all } = await hosts();
      const struck = which === "primary" ? primary : (all.find((name) => name !== primary) ?? primary);
      await node("pause-node", struck);
      return async () => void (await node("resume-node", struck));
    },
  };
}
