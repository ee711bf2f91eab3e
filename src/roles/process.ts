import type { Metrics } from "../admin/metrics.ts";
import type { Config } from "../config.ts";
import type { Lifecycle } from "../shared/lifecycle.ts";
import type { Logger } from "../shared/logger.ts";
import type { StartupError } from "../shared/startup-error.ts";
import type { SteadyClock } from "../shared/steady-clock.ts";

/** What every role of one process shares. */
export interface Process {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: SteadyClock;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** Aborted when the process is told to end, be it while it starts. */
  readonly signal: AbortSignal;
  /** Ends the process in an orderly way, with these words: it can do its work no longer. */
  readonly giveUp: (reason: StartupError) => void;
}
