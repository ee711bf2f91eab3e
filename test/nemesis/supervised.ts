import { type HermodProcess, removeData, startProcess } from "../harness/start-hermod.ts";

/** A process of Hermod that is started again whenever it has ended, as a supervisor does. */
export interface Supervised {
  readonly name: string;
  readonly delivers: boolean;
  /** Of /readyz; undefined while it does not run. */
  adminUrl(): string | undefined;
  /** SIGKILL, or SIGTERM and its drain; resolves when it runs again. */
  restart(signal: "SIGKILL" | "SIGTERM", changes?: Readonly<Record<string, string>>): Promise<void>;
  /** SIGSTOP; the returned function lets that process go on, whether or not it is to end meanwhile. */
  pause(): () => void;
  /** All that it has logged, of every incarnation. */
  log(): string;
  dispose(): Promise<void>;
}

/** A store that is changing its primary refuses a start: whoever supervises it tries again. */
const START_ATTEMPTS = 20;
const LOG_KEPT_CHARACTERS = 2_000_000;

export async function supervise(name: string, env: NodeJS.ProcessEnv, roles: string): Promise<Supervised> {
  let running: HermodProcess | undefined = await startProcess(env, roles);
  let former = "";
  let change: Promise<void> = Promise.resolve();
  let disposed = false;

  async function startAgain(changes: Readonly<Record<string, string>>): Promise<void> {
    for (let attempt = 1; !disposed; attempt++) {
      try {
        running = await startProcess({ ...env, ...changes }, roles);
        return;
      } catch (error) {
        former += `${error}\n`;
        if (attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  return {
    name,
    delivers: /worker|all/.test(roles),
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
    log: () => former + (running?.log() ?? ""),
    dispose: async () => {
      disposed = true;
      await change.catch(() => undefined);
      await running?.kill();
      await removeData({ HERMOD_DATA_DIR: env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
    },
  };
}
