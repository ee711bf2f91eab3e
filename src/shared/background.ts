import { setTimeout as sleep } from "node:timers/promises";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";

/** Work that a process repeats in the background. */
export interface BackgroundWork {
  readonly name: string;
  readonly everyMs: number;
  /** One run. The next run starts after its end. An error is logged, and the next run follows. */
  run(): Promise<void> | void;
  /** Called once, after the last run. */
  stop?(): Promise<void> | void;
}

/** Starts the work, and ends it with the process. The drain time limits the wait for a run in progress. */
export function startBackground(
  work: BackgroundWork,
  { lifecycle, log }: { readonly lifecycle: Lifecycle; readonly log: Logger },
): void {
  /** Set while a run is in progress. */
  let current: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      await work.run();
    } catch (error) {
      log.warn({ err: error, work: work.name }, "background work failed and is retried");
    }
  }

  const timer = setInterval(() => {
    current ??= run().finally(() => {
      current = undefined;
    });
  }, work.everyMs);
  lifecycle.defer(work.name, async (drainMs) => {
    clearInterval(timer);
    if (current) await Promise.race([current, sleep(drainMs, undefined, { ref: false })]);
    await work.stop?.();
  });
}
