import type { BackgroundWork } from "../shared/background.ts";
import { measureSkew } from "../shared/clock-skew.ts";
import type { Process } from "./process.ts";

const POLL_MS = 1_000;
/** Interval of reads of the store's time while a step is not accepted. */
const ASK_MS = 10_000;

/**
 * Checks every second whether the wall clock has stepped, and then reads the store's time until the wall clock is correct or
 * accepted.
 * @param askStoreTime undefined: this process has no store, and nothing in it depends on dates
 */
export function watchClock(
  { clock, log, metrics }: Pick<Process, "clock" | "log" | "metrics">,
  askStoreTime: (() => Promise<Date>) | undefined,
): readonly BackgroundWork[] {
  let askAtMs = 0;

  async function ask(askTime: () => Promise<Date>): Promise<void> {
    try {
      const skew = await measureSkew(clock, askTime);
      clock.settle(skew);
      metrics.clockSkew.set(skew.skewMs / 1000);
      if (!clock.holds()) log.info("the time of the store confirms the step of the wall clock");
    } catch (error) {
      log.warn({ err: error }, "the time of the store cannot be read after a step of the wall clock");
    } finally {
      askAtMs = clock.monotonicMs() + ASK_MS;
    }
  }

  const looking: BackgroundWork = {
    name: "clock",
    everyMs: POLL_MS,
    run: () => {
      clock.check();
      if (!clock.holds()) askAtMs = 0;
    },
  };
  if (!askStoreTime) return [looking];
  const asking: BackgroundWork = {
    name: "the store's time",
    everyMs: POLL_MS,
    run: async () => {
      if (clock.holds() && clock.monotonicMs() >= askAtMs) await ask(askStoreTime);
    },
  };
  return [looking, asking];
}
