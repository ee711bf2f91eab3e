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
   * Takes a message that a core has dispatched: delivered at once when this worker holds its partition and has room.
   * @param body at hand in the process that has just stored it; otherwise it is loaded
   */
  receive(message: MessageDocument, body?: MessageBody): void;
  readonly held: Partitions["held"];
  readonly lease: Partitions["lease"];
  start(): Promise<void>;
  /**
   * Starts nothing new from now on, and leaves its partitions to other workers, if there are any.
   * @param drainMs in which what is under way may come to its end
   */
  drain(drainMs: number): void;
  /**
   * Drains, waits for what is under way, at most so long, and gives its partitions up. Then attempts are abandoned
   * whose server cannot have the message; the others have a moment more for its answer.
   */
  stop(drainMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly queue: AcrossAccounts["queue"];
  readonly loadBodies: AcrossAccounts["contents"]["loadMany"];
  readonly partitions: (deliveries: Deliveries) => Partitions;
  readonly destinations: Destinations;
  readonly deliver: Deliver;
  /** Ends attempts whose server cannot have the message yet, for good: no other one is begun after it. */
  readonly abandonAttempts: () => void;
  readonly results: RecordResults;
  readonly withdraw: Withdraw;
  readonly holds: Holds;
  /** Keeps messages aside that cannot be read. */
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Deliveries under way at once. */
  readonly concurrency: number;
  /** An attempt that takes longer is slow: such ones leave room for others. */
  readonly slowAfterMs?: number;
  /** No message is due later than this from now, except by its own `sendAt`. */
  readonly latestDueMs?: number;
  /** Told of every attempt that was recorded. */
  readonly onAttempt: (message: MessageDocument, result: AttemptResult, durationMs: number) => void;
  /** Told how many attempts are under way, whenever that changes. */
  readonly onUnderWay: (count: number) => void;
  /** Told when a look into the queue is over, whether it succeeded or not. */
  readonly onPolled?: () => void;
}
