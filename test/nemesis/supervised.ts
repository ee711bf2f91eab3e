import { renameSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type HermodProcess, removeData, startProcess } from "../harness/start-hermod.ts";

/** Disturbances of a process, see test/nemesis/preload.js. */
export interface Disturbance {
  /** Offset of its wall clock. */
  readonly clockMs: number;
  /** Duration of repeated stalls of the embedded engine's thread, like with a slow disk. */
  readonly stallMs: number;
}

/** A process of Hermod that is restarted whenever it ends, like by a supervisor. */
export interface Supervised {
  readonly name: string;
  readonly roles: string;
  /** Address of the server with /readyz; undefined while the process is down. */
  adminUrl(): string | undefined;
  /** SIGKILL, or SIGTERM and its drain; resolves when it runs again. */
  restart(signal: "SIGKILL" | "SIGTERM", changes?: StartChanges): Promise<void>;
  /** SIGSTOP. The returned function continues that process, even if it is to end in the meantime. */
  pause(): () => void;
  /** For the running process and for later starts. Missing values stay unchanged. */
  disturb(changes: Partial<Disturbance>): void;
  /** The log of all its incarnations. */
  log(): string;
  dispose(): Promise<void>;
}

export interface StartChanges {
  readonly heapMb?: number;
}

export interface SuperviseOptions {
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly roles: string;
  /** Ports on 127.0.0.1 that replace an address (host:port). */
  readonly redirects?: Readonly<Record<string, number>>;
}

/** A store that is electing a primary, or a wrong clock, prevents a start. A supervisor retries. */
const START_WITHIN_MS = 240_000;
const START_PAUSE_MS = 500;
const LOG_KEPT_CHARACTERS = 2_000_000;
const PRELOAD = pathToFileURL(path.resolve(import.meta.dirname, "preload.js")).href;

export async function supervise({ name, env, roles, redirects = {} }: SuperviseOptions): Promise<Supervised> {
  const directory = await mkdtemp(path.join(tmpdir(), "hermod-nemesis-process-"));
  const file = path.join(directory, "disturbance.json");
  let disturbance: Disturbance = { clockMs: 0, stallMs: 0 };
  let running: HermodProcess | undefined;
  let former = "";
  let change: Promise<void> = Promise.resolve();
  let disposed = false;

  /** Immediately, because two faults may change it at once. */
  function disturb(changes: Partial<Disturbance>): void {
    disturbance = { ...disturbance, ...changes };
    const next = `${file}.next`;
    writeFileSync(next, JSON.stringify(disturbance));
    renameSync(next, file);
  }

  function start({ heapMb }: StartChanges): Promise<HermodProcess> {
    const options = [`--import=${PRELOAD}`, ...(heapMb ? [`--max-old-space-size=${heapMb}`] : [])];
    const own = {
      NODE_OPTIONS: options.join(" "),
      HERMOD_TEST_DISTURBANCE: file,
      HERMOD_TEST_REDIRECTS: JSON.stringify(redirects),
    };
    return startProcess({ ...env, ...own }, roles);
  }

  async function startAgain(changes: StartChanges): Promise<void> {
    const deadlineMs = performance.now() + START_WITHIN_MS;
    while (!disposed) {
      try {
        running = await start(changes);
        return;
      } catch (error) {
        former += `${error}\n`;
        if (performance.now() > deadlineMs) throw error;
        await sleep(START_PAUSE_MS);
      }
    }
  }

  disturb({});
  running = await start({});
  return {
    name,
    roles,
    adminUrl: () => running?.adminUrl,
    restart: (signal, changes = {}) => {
      change = change.then(async () => {
        const ending = running;
        running = undefined;
        await (signal === "SIGKILL" ? ending?.kill() : ending?.stop());
        former = (former + (ending?.log() ?? "")).slice(-LOG_KEPT_CHARACTERS);
        await startAgain(changes);
      });
      return change;
    },
    pause: () => {
      const paused = running;
      if (paused && !paused.hasEnded()) process.kill(paused.pid, "SIGSTOP");
      return () => {
        if (paused && !paused.hasEnded()) process.kill(paused.pid, "SIGCONT");
      };
    },
    disturb,
    log: () => former + (running?.log() ?? ""),
    dispose: async () => {
      disposed = true;
      await change.catch(() => undefined);
      await running?.kill();
      await removeData({ HERMOD_DATA_DIR: env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
      await rm(directory, { recursive: true });
    },
  };
}
