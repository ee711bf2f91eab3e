import type { Logger } from "./logger.ts";

export interface Lifecycle {
  /** Registers what must be undone at the end; undone in reverse order. */
  defer(name: string, close: () => Promise<void> | void): void;
  /** Runs every deferred step once, each even when another fails. */
  close(): Promise<void>;
}

/** Start-up and shut-down order of one process. */
export function createLifecycle(log: Logger): Lifecycle {
  const steps: { name: string; close: () => Promise<void> | void }[] = [];
  let closing: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step.close();
        log.debug({ step: step.name }, "closed");
      } catch (error) {
        log.error({ step: step.name, err: error }, "closing failed");
      }
    }
  }

  return {
    defer: (name, close) => void steps.push({ name, close }),
    close: () => {
      closing ??= runAll();
      return closing;
    },
  };
}
