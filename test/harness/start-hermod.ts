import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { type CoreClient, createCoreClient } from "../../src/core/client.ts";

/** What first-run.json holds. */
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
  readonly dashboard: { readonly url: string; readonly email: string; readonly password: string };
  readonly grpc: { readonly address: string; readonly token: string };
}

export interface Hermod {
  readonly firstRun: FirstRunFile;
  readonly dataDir: string;
  readonly adminUrl: string;
  /** The settings it runs with: for the command line, or a second process. */
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** A client of its core; closed with it. */
  readonly core: CoreClient;
  /** All that it has logged so far. */
  log(): string;
  stdout(): string;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same data, after stop() or kill(). */
  restart(): Promise<Hermod>;
  /** Ends it, if it runs, and removes its data. */
  dispose(): Promise<void>;
}

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly roles?: string;
}

const MAIN = path.resolve(import.meta.dirname, "../../dist/src/main.js");
const START_TIMEOUT_MS = 40_000;

/** Starts the built program as a user does, on free ports, with data of its own. */
export async function startHermod({ settings = {}, roles = "all" }: StartOptions = {}): Promise<Hermod> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hermod-test-"));
  const { MONGODB_URL } = process.env;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HERMOD_DATA_DIR: dataDir,
    HERMOD_HTTP_HOST: "127.0.0.1",
    HERMOD_HTTP_PORT: "0",
    HERMOD_GRPC_PORT: "0",
    HERMOD_ADMIN_PORT: "0",
    HERMOD_VALIDATE_RESPONSES: "true",
    ...(MONGODB_URL
      ? { MONGODB_URL, MONGODB_DATABASE: `hermod_test_${randomBytes(6).toString("hex")}` }
      : {}),
    ...settings,
  };
  return launch(env, roles);
}

async function launch(env: NodeJS.ProcessEnv, roles: string): Promise<Hermod> {
  const child = spawn(process.execPath, [MAIN, "start", "--role", roles], {
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
  const exited = once(child, "exit");
  await untilStarted(child, output);
  const dataDir = env.HERMOD_DATA_DIR ?? "";
  const firstRun = JSON.parse(await readFile(path.join(dataDir, "first-run.json"), "utf8")) as FirstRunFile;
  const { address, token } = firstRun.grpc;
  const core = createCoreClient({ address, token, deadlineMs: 20_000 });
  const adminUrl = /Sandbox +(http:\S+)\/sandbox/.exec(output.stdout)?.[1] ?? "";

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    core.close();
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  }

  return {
    firstRun,
    dataDir,
    adminUrl,
    env,
    pid: child.pid ?? 0,
    core,
    log: () => output.stderr,
    stdout: () => output.stdout,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    restart: () => launch(env, roles),
    dispose: async () => {
      await end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
      await dropDatabase(env);
    },
  };
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

/** Asks until the answer is there; what happens in the background needs no fixed wait. */
export async function eventually<T>(ask: () => Promise<T | undefined>, timeoutMs = 15_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error("It did not happen in time.");
    await sleep(25);
  }
}
