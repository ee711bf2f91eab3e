import type { Metrics } from "../admin/metrics.ts";
import type { Config } from "../config.ts";
import type { Lifecycle } from "../shared/lifecycle.ts";
import type { Logger } from "../shared/logger.ts";
import type { StartupError } from "../shared/startup-error.ts";
import type { SteadyClock } from "../shared/steady-clock.ts";

/** Resources shared by all roles of a process. */
export interface Process {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: SteadyClock;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** Aborted when the process is to end, also during its start. */
  readonly signal: AbortSignal;
  /** Ends the process orderly with this reason, because it cannot continue. */
  readonly giveUp: (reason: StartupError) => void;
}
