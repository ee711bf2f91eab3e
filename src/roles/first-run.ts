import { type FirstRun, prepareFirstRun } from "../core/first-run.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Store } from "../store/store.ts";
import type { Addresses } from "./addresses.ts";
import type { DataDir } from "./data-dir.ts";
import { writeOrDefer } from "./full-disk.ts";
import type { Process } from "./process.ts";

/** The credentials of the first account, shown until they are used. */
export interface ShownFirstRun extends FirstRun {
  /** False: an earlier start created them. */
  readonly isNew: boolean;
  /** Records that they were shown; never rejects. */
  shown(): Promise<void>;
}

/** The first account in two steps, so that a failed start creates nothing. */
export interface FirstRunSteps {
  /** Credentials of the account after the start; undefined: another process has them. */
  readonly expected: FirstRun | undefined;
  /**
   * Last step of a start: creates the account if there is none.
   * @throws StartupError when another process has created it at the same time and the relay must send with its key
   */
  finish(addresses: Addresses, token: string): Promise<ShownFirstRun | undefined>;
}

export async function composeFirstRun(
  process: Process,
  store: Store,
  dataDir: DataDir,
): Promise<FirstRunSteps> {
  const { clock, config, log } = process;
  const kept = await dataDir.keptFirstRuns();
  const { expected, isNew, make, markShown } = await prepareFirstRun({ store, clock, kept });

  const shown = () =>
    markShown().catch((error) => log.warn({ err: error }, "cannot store that the first keys were shown"));

  return {
    expected,
    finish: async (addresses, token) => {
      if (expected && isNew) await dataDir.savePendingFirstRun(expected, addresses, token);
      const opened = expected && (!isNew || (await make())) ? expected : undefined;
      if (opened && isNew) await dataDir.saveFirstRun(opened, addresses, token);
      else {
        await writeOrDefer(process, "first-run.json", () =>
          opened ? dataDir.saveFirstRun(opened, addresses, token) : dataDir.refreshFirstRun(addresses, token),
        );
      }
      await dataDir.removePendingFirstRuns();
      if (expected && !opened && config.smtp.insecureLoopback && !config.smtp.insecureKey) {
        throw new StartupError(
          "HERMOD_SMTP_INSECURE_KEY: must be set to key:password, because another process has just created the account.",
        );
      }
      return opened && { ...opened, isNew, shown };
    },
  };
}
