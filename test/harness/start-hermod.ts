import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { type CoreClient, connectCoreClient } from "../../src/rpc/client.ts";
import { TEST_SECRET_KEY } from "./sealing.ts";
import { makeStoreFolder } from "./store-folder.ts";

/** Contents of first-run.json when all roles are served; addresses of other roles are missing. */
export interface FirstRunFile {
  readonly base_url: string;
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly username: string;
    readonly password: string;
  };
  readonly api_key: string;
  readonly deliverability_api_key: string;
  readonly sender: string;
  readonly dashboard: { readonly email: string; readonly password: string };
  readonly admin: { readonly url: string; readonly sandbox_url: string };
  readonly grpc: { readonly address: string; readonly token: string };
}

/** One process of Hermod with its role or roles. */
export interface HermodProcess {
  /** Its settings, for the command line or a second process. */
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  hasEnded(): boolean;
  readonly adminUrl: string;
  /** Its complete log so far. */
  log(): string;
  stdout(): string;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: a crash. */
  kill(): Promise<void>;
}

export interface Hermod extends HermodProcess {
  readonly firstRun: FirstRunFile;
  readonly dataDir: string;
  /** A client of its core, closed with it. */
  readonly core: CoreClient;
  /** Starts it again on the same data after stop() or kill(), with these settings changed. */
  restart(changes?: Readonly<Record<string, string>>): Promise<Hermod>;
  /** Ends it if it runs, and removes its data. */
  dispose(): Promise<void>;
}

export interface StartOptions {
  /** From `newSettings`, if the data folder or the database already contains data. */
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Readonly<Record<string, string>>;
  readonly roles?: string;
  /** Options of `hermod start` in addition to --role. */
  readonly args?: readonly string[];
}

/** A process that has ended on its own. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
const START_TIMEOUT_MS = 100_000;

/** Starts the built program as a user does, on free ports, with its own data. */
export async function startHermod(options: StartOptions = {}): Promise<Hermod> {
  const { env, settings = {}, roles = "all", args = [] } = options;
  return launch({ ...(env ?? (await newSettings())), ...settings }, roles, args);
}

/** Settings of a separate Hermod: free ports, a new data folder, and a new database if there is a server. */
export async function newSettings(): Promise<NodeJS.ProcessEnv> {
  const { MONGODB_URL } = process.env;
  return {
    PATH: process.env.PATH,
    HERMOD_DATA_DIR: await makeStoreFolder(),
    HERMOD_HTTP_HOST: "127.0.0.1",
    HERMOD_HTTP_PORT: "0",
    HERMOD_SMTP_HOST: "127.0.0.1",
    HERMOD_SMTP_PORT: "0",
    HERMOD_GRPC_PORT: "0",
    HERMOD_ADMIN_PORT: "0",
    HERMOD_VALIDATE_RESPONSES: "true",
    ...(MONGODB_URL
      ? {
          MONGODB_URL,
          HERMOD_SECRET_KEYS: TEST_SECRET_KEY,
          MONGODB_DATABASE: `hermod_test_${randomBytes(6).toString("hex")}`,
        }
      : {}),
  };
}

/** Removes the data of a Hermod with these settings. */
export async function removeData(env: NodeJS.ProcessEnv): Promise<void> {
  await rm(env.HERMOD_DATA_DIR ?? "", { recursive: true, force: true });
  await dropDatabase(env);
}

interface Spawned extends Omit<HermodProcess, "adminUrl"> {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves when the process has ended. */
  readonly exited: Promise<unknown>;
}

/** Starts a process without waiting. */
export function spawnHermod(env: NodeJS.ProcessEnv, roles = "all", args: readonly string[] = []): Spawned {
  const child = spawn(process.execPath, [MAIN, "start", "--role", roles, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output.stderr += chunk;
  });
  // "close": the process has ended and all of its output has been read.
  const exited = once(child, "close");

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  }

  return {
    child,
    output,
    exited,
    env,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    log: () => output.stderr,
    stdout: () => output.stdout,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

/** Starts one of several processes, with settings from `newSettings` and the settings of its roles. */
export async function startProcess(
  env: NodeJS.ProcessEnv,
  roles: string,
  args: readonly string[] = [],
): Promise<HermodProcess> {
  const { child, output, exited, ...rest } = spawnHermod(env, roles, args);
  await untilStarted(child, output);
  return {
    ...rest,
    adminUrl: /(?:Sandbox|Admin) +(http:\S+?)(?:\/sandbox)? /.exec(output.stdout)?.[1] ?? "",
  };
}

/**
 * Starts a process that is expected to exit, and waits for its end. A process that does not exit is killed,
 * without a code.
 */
export async function runToEnd(env: NodeJS.ProcessEnv, roles = "all"): Promise<Ended> {
  const { child, output, exited } = spawnHermod(env, roles);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
  return { ...output, code: child.exitCode };
}

async function launch(env: NodeJS.ProcessEnv, roles: string, args: readonly string[] = []): Promise<Hermod> {
  const running = await startProcess(env, roles, args);
  const dataDir = env.HERMOD_DATA_DIR ?? "";
  const firstRun = JSON.parse(await readFile(path.join(dataDir, "first-run.json"), "utf8")) as FirstRunFile;
  const core = connectCore(env, firstRun.grpc);
  return {
    ...running,
    firstRun,
    dataDir,
    core,
    stop: () => {
      core.close();
      return running.stop();
    },
    kill: () => {
      core.close();
      return running.kill();
    },
    restart: (changes = {}) => launch({ ...env, ...changes }, roles),
    dispose: async () => {
      core.close();
      await running.kill();
      await removeData(env);
    },
  };
}

/** A client of a core, over TLS if the settings of a caller require it. */
export function connectCore(env: NodeJS.ProcessEnv, { address, token }: FirstRunFile["grpc"]): CoreClient {
  const { HERMOD_GRPC_TLS_CA: ca, HERMOD_GRPC_TLS_CLIENT_CERT: cert, HERMOD_GRPC_TLS_CLIENT_KEY: key } = env;
  const tls = ca === undefined ? undefined : { ca, cert, key };
  return connectCoreClient({ address, token, deadlineMs: 20_000, tls });
}

async function untilStarted(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!output.stdout.includes("Hermod is running")) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`Hermod did not start:\n${output.stderr}`);
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`Hermod did not start in time:\n${output.stderr}`);
    }
    await sleep(20);
  }
}

async function dropDatabase({ MONGODB_URL, MONGODB_DATABASE }: NodeJS.ProcessEnv): Promise<void> {
  if (!MONGODB_URL || !MONGODB_DATABASE) return;
  const client = new MongoClient(MONGODB_URL);
  await client.db(MONGODB_DATABASE).dropDatabase();
  await client.close();
}

/** Polls until there is a result, so background work needs no fixed wait. */
export async function eventually<T>(ask: () => Promise<T | undefined>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error("It did not happen in time.");
    await sleep(25);
  }
}
