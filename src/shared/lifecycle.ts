import type { Logger } from "./logger.ts";

/** Undoes one thing. @param drainMs what is left of the time in which work under way may come to its end */
export type Close = (drainMs: number) => Promise<void> | void;

export interface Lifecycle {
  /** Registers what must be undone at the end; undone in reverse order. */
  defer(name: string, close: Close): void;
  /** Registers what is to begin nothing new from the first moment of the end, before anything is undone. */
  onDrain(stopBeginning: (drainMs: number) => void): void;
  /** Runs every deferred step once, each even when another fails. All of them share the time to drain. */
  close(drainMs: number): Promise<void>;
}

/** Start-up and shut-down order of one process. */
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
