import type { Metrics } from "../admin/metrics.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../shared/clock.ts";
import type { Lifecycle } from "../shared/lifecycle.ts";
import type { Logger } from "../shared/logger.ts";

/** What every role of one process shares. */
export interface Process {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}
