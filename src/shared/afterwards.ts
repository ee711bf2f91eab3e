import { fault } from "./fault.ts";

/** Work whose caller must not be able to tell by the time of the answer what it had to do. */
export interface Afterwards {
  /**
   * Begins it, and does not wait for it. Who ends the process waits for it (`idle`); a crash loses it.
   * @throws Fault service.busy when so much is under way already
   */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface AfterwardsOptions {
  readonly max: number;
  readonly onTrouble: (error: unknown) => void;
}

export function createAfterwards({ max, onTrouble }: AfterwardsOptions): Afterwards {
  const underWay = new Set<Promise<void>>();
  return {
    run: (work) => {
      if (underWay.size >= max) throw fault("service.busy", { retryAfterSeconds: 2 });
      const done = work()
        .catch(onTrouble)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
