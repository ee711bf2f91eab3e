import { setTimeout as sleep } from "node:timers/promises";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";

/** Work that a process does again and again besides answering. */
export interface BackgroundWork {
  readonly name: string;
  readonly everyMs: number;
  /** One turn. The next begins no sooner than this one has ended; what it throws is logged, and the next one comes. */
  run(): Promise<void> | void;
  /** The last thing, after the last turn. */
  stop?(): Promise<void> | void;
}

/** Starts the work, and ends it with the process: a turn under way is waited for, as long as there is time to drain. */
export function startBackground(
  work: BackgroundWork,
  { lifecycle, log }: { readonly lifecycle: Lifecycle; readonly log: Logger },
): void {
  /** Set while a turn is under way. */
  let turn: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      await work.run();
    } catch (error) {
      log.warn({ err: error, work: work.name }, "background work failed and is retried");
    }
  }

  const timer = setInterval(() => {
    turn ??= run().finally(() => {
      turn = undefined;
    });
  }, work.everyMs);
  lifecycle.defer(work.name, async (drainMs) => {
    clearInterval(timer);
    if (turn) await Promise.race([turn, sleep(drainMs, undefined, { ref: false })]);
    await work.stop?.();
  });
}
