import { fault } from "./fault.ts";

/** Work with an amount that the caller must not learn from the response time. */
export interface Afterwards {
  /**
   * Starts the work without waiting for it. The end of the process waits for it (`idle`). A crash loses it.
   * @throws Fault service.busy if too much work is in progress
   */
  run(work: () => Promise<void>): void;
  /** Resolves when no work is in progress. */
  idle(): Promise<void>;
}

export interface AfterwardsOptions {
  readonly max: number;
  readonly onError: (error: unknown) => void;
}

export function createAfterwards({ max, onError }: AfterwardsOptions): Afterwards {
  const underWay = new Set<Promise<void>>();
  return {
    run: (work) => {
      if (underWay.size >= max) throw fault("service.busy", { retryAfterSeconds: 2 });
      const done = work()
        .catch(onError)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
