import { randomBytes } from "node:crypto";
import type { Kill } from "./in-flight.ts";
import {
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "./start-hermod.ts";
import { freePort } from "./tcp-proxy.ts";

/** The processes of one Hermod, which are killed in turn and restarted at once. */
export interface CrashFleet {
  /** The current process with the core and the API. */
  hermod(): Hermod;
  /** Kills a delivering process. Resolves when it is up again. */
  killWorker(index: number): Promise<Kill>;
  /** Kills the core, if it has its own process. Resolves when it is up again. */
  killCore(): Promise<Kill>;
  dispose(): Promise<void>;
}

export interface CrashFleetOptions {
  readonly settings: Readonly<Record<string, string>>;
  /** Maximum number of concurrent deliveries of a worker. */
  readonly concurrency: number;
}

/** Starting may fail while the store changes its primary, so the fleet tries again, as a supervisor does. */
const START_ATTEMPTS = 10;

/** Every role in one process. */
export async function startSingle(options: CrashFleetOptions): Promise<CrashFleet> {
  const settings = await fixedSettings(options);
  let incarnation = 1;
  const client = () => `all-${incarnation}.workers.test`;
  let hermod = await startHermod({ settings: { ...settings, HERMOD_HELO_NAME: client() } });
  const killAll = async (): Promise<Kill> => {
    await hermod.kill();
    const kill: Kill = {
      what: "worker",
      atMs: performance.now(),
      client: client(),
      mostInFlight: options.concurrency,
    };
    incarnation++;
    hermod = await persistently(() => hermod.restart({ HERMOD_HELO_NAME: client() }));
    return kill;
  };
  return {
    hermod: () => hermod,
    killWorker: killAll,
    killCore: killAll,
    dispose: () => hermod.dispose(),
  };
}

/** Starts one process with core and API, and `size` workers. Needs a MongoDB. */
export async function startFleet(options: CrashFleetOptions, size: number): Promise<CrashFleet> {
  const settings = await fixedSettings(options);
  let core = await startHermod({ settings, roles: "core,edge" });
  const workers = await Promise.all(Array.from({ length: size }, (_, index) => startWorker(index)));

  async function startWorker(index: number) {
    const { MONGODB_URL, MONGODB_DATABASE } = core.env;
    const env: NodeJS.ProcessEnv = {
      ...(await newSettings()),
      ...settings,
      MONGODB_URL,
      MONGODB_DATABASE,
      HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address,
    };
    let incarnation = 1;
    const client = () => `worker-${index}-${incarnation}.workers.test`;
    const launch = (): Promise<HermodProcess> =>
      persistently(() => startProcess({ ...env, HERMOD_HELO_NAME: client() }, "worker"));
    let running = await launch();
    return {
      kill: async (): Promise<Kill> => {
        await running.kill();
        const { concurrency: mostInFlight } = options;
        const kill: Kill = { what: "worker", atMs: performance.now(), client: client(), mostInFlight };
        incarnation++;
        running = await launch();
        return kill;
      },
      dispose: async () => {
        await running.kill();
        // The core removes the database.
        await removeData({ HERMOD_DATA_DIR: env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
      },
    };
  }

  return {
    hermod: () => core,
    killWorker: (index) => {
      const worker = workers[index % workers.length];
      if (!worker) throw new Error("The fleet has no worker.");
      return worker.kill();
    },
    killCore: async () => {
      await core.kill();
      const kill: Kill = { what: "core", atMs: performance.now(), mostInFlight: 0 };
      core = await persistently(() => core.restart());
      return kill;
    },
    dispose: async () => {
      await Promise.all(workers.map((worker) => worker.dispose()));
      await core.dispose();
    },
  };
}

/** Ports and token that outlive a process. */
async function fixedSettings({ settings, concurrency }: CrashFleetOptions): Promise<Record<string, string>> {
  return {
    ...settings,
    HERMOD_HTTP_PORT: String(await freePort()),
    HERMOD_GRPC_PORT: String(await freePort()),
    HERMOD_GRPC_TOKEN: randomBytes(32).toString("base64url"),
    HERMOD_WORKER_CONCURRENCY: String(concurrency),
    HERMOD_LOG_LEVEL: "warn",
  };
}

async function persistently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}
