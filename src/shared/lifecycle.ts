import type { Logger } from "./logger.ts";

/** Undoes one step of the start. @param drainMs remaining time for work in progress */
export type Close = (drainMs: number) => Promise<void> | void;

export interface Lifecycle {
  /** Registers a step to undo at the end, in reverse order. */
  defer(name: string, close: Close): void;
  /** Registers a function that stops new work at the start of the shutdown, before any step is undone. */
  onDrain(stopBeginning: (drainMs: number) => void): void;
  /** Runs every deferred step once, even if another fails. All steps share the drain time. */
  close(drainMs: number): Promise<void>;
}

/** Start-up and shutdown order of one process. */
export function createLifecycle(log: Logger): Lifecycle {
  const steps: { name: string; close: Close }[] = [];
  const beginners: ((drainMs: number) => void)[] = [];
  let closing: Promise<void> | undefined;

  async function runAll(drainMs: number): Promise<void> {
    const deadlineMs = performance.now() + drainMs;
    for (const stopBeginning of beginners.splice(0)) stopBeginning(drainMs);
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step.close(Math.max(0, deadlineMs - performance.now()));
        log.debug({ step: step.name }, "closed");
      } catch (error) {
        log.error({ step: step.name, err: error }, "closing failed");
      }
    }
  }

  return {
    defer: (name, close) => void steps.push({ name, close }),
    onDrain: (stopBeginning) => void beginners.push(stopBeginning),
    close: (drainMs) => {
      closing ??= runAll(drainMs);
      return closing;
    },
  };
}
