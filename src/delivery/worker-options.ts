import type { Deliveries, Partitions } from "../leases/partitions.ts";
import type { MessageBody } from "../message/content.ts";
import type { Clock, Timers } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { AttemptResult } from "./attempt-result.ts";
import type { Deliver } from "./deliver.ts";
import type { Holds } from "./queue/holds.ts";
import type { Quarantine } from "./queue/quarantine.ts";
import type { RecordResults } from "./queue/record-results.ts";
import type { Withdraw } from "./queue/withdraw.ts";
import type { Destinations } from "./routing/destinations.ts";

export interface Worker {
  /**
   * Accepts a message that a core has dispatched: delivered at once if this worker holds its partition and has capacity.
   * @param body in the process that has just stored it; otherwise it is loaded
   */
  receive(message: MessageDocument, body?: MessageBody): void;
  readonly held: Partitions["held"];
  readonly lease: Partitions["lease"];
  start(): Promise<void>;
  /**
   * Starts nothing new from now on, and leaves its partitions to other workers, if there are any.
   * @param drainMs time for attempts in progress to end
   */
  drain(drainMs: number): void;
  /**
   * Drains, waits at most this long for attempts in progress, and gives up its partitions. Then it abandons each
   * attempt if its server cannot have the message; the others have a moment more for the reply.
   */
  stop(drainMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly queue: AcrossAccounts["queue"];
  readonly loadBodies: AcrossAccounts["contents"]["loadMany"];
  readonly partitions: (deliveries: Deliveries) => Partitions;
  readonly destinations: Destinations;
  readonly deliver: Deliver;
  /** Permanently ends attempts with a server that cannot have the message yet: no other one begins after it. */
  readonly abandonAttempts: () => void;
  readonly results: RecordResults;
  readonly withdraw: Withdraw;
  readonly holds: Holds;
  /** Quarantines unreadable messages. */
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Concurrent deliveries. */
  readonly concurrency: number;
  /** An attempt that takes longer is slow: slow attempts leave capacity for others. */
  readonly slowAfterMs?: number;
  /** Maximum time until a message is due, except by its own `sendAt`. */
  readonly latestDueMs?: number;
  /** Called with every recorded attempt. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
  /** Called with the number of attempts in progress whenever it changes. */
  readonly onUnderWay: (count: number) => void;
  /** Called after each poll of the queue, successful or not. */
  readonly onPolled?: () => void;
}
