import type { Db } from "mongodb";
import type { AttemptResult } from "../../src/delivery/attempt-result.ts";
import type { Deliver } from "../../src/delivery/deliver.ts";
import { createHolds } from "../../src/delivery/queue/holds.ts";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import { createRecordResults } from "../../src/delivery/queue/record-results.ts";
import { createWithdraw } from "../../src/delivery/queue/withdraw.ts";
import { createDestinationLimits } from "../../src/delivery/routing/destination-limits.ts";
import { createWorker } from "../../src/delivery/worker.ts";
import type { Worker, WorkerOptions } from "../../src/delivery/worker-options.ts";
import { createPartitions, type Partitions, type PartitionsOptions } from "../../src/leases/partitions.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createPartitionStore } from "../../src/store/partition-store.ts";
import { createStore } from "../../src/store/store.ts";
import { PARTITION_COUNT } from "./queued-message.ts";
import { testSealing } from "./sealing.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TestTime } from "./test-time.ts";

export interface TestWorkerOptions {
  readonly db: Db;
  /** Time of the worker and its leases. */
  readonly time: TestTime;
  readonly id?: string;
  readonly deliver: Deliver;
  /** Maximum number of concurrent deliveries to one domain. */
  readonly perDomain?: number;
  readonly leases?: Partial<PartitionsOptions>;
  readonly changes?: Partial<WorkerOptions>;
}

/** A worker on a real store, in simulated time. */
export interface TestWorker extends Worker {
  /** Runs one lease round without advancing time. */
  round(): Promise<void>;
  /** Recorded attempts. */
  readonly recorded: Signal<AttemptResult>;
  /** Completed polls of the queue. */
  readonly polls: Signal<void>;
  /** Completed lease rounds. */
  readonly rounds: Signal<void>;
}

const HOUR_MS = 3_600_000;

/** Creates a worker without starting it. */
export function createTestWorker(options: TestWorkerOptions): TestWorker {
  const { db, time, id = "wrk_1", deliver, perDomain = 20, leases = {}, changes = {} } = options;
  const { clock, timers } = time;
  const store = createStore(db, testSealing);
  const log = changes.log ?? createLogger("silent");
  const limits = createDestinationLimits();
  const destination = ({ recipientDomain }: MessageDocument) =>
    limits.at(recipientDomain, { concurrency: perDomain, perMinute: undefined });
  const [recorded, polls, rounds] = [createSignal<AttemptResult>(), createSignal(), createSignal()];
  let partitions: Partitions | undefined;
  const worker = createWorker({
    queue: store.acrossAccounts.queue,
    loadBodies: store.acrossAccounts.contents.loadMany,
    partitions: (deliveries) => {
      partitions = createPartitions({
        store: createPartitionStore(db, clock.now),
        workerId: id,
        partitionCount: PARTITION_COUNT,
        deliveries,
        clock,
        timers,
        log,
        onRound: rounds.tell,
        ...leases,
      });
      return partitions;
    },
    destinations: {
      peek: destination,
      of: async (message) => destination(message),
      shares: limits.shares,
    },
    deliver,
    abandonAttempts: () => undefined,
    results: createRecordResults({ store, storeNotices: async () => undefined }),
    holds: createHolds({ holds: store.holds, policyHolds: store.acrossAccounts.policyHolds }),
    withdraw: createWithdraw({ store: store.acrossAccounts, clock, retentionMs: HOUR_MS }),
    quarantine: createQuarantine({
      store: store.acrossAccounts,
      clock,
      log,
      retentionMs: HOUR_MS,
      onQuarantined: () => undefined,
    }),
    clock,
    timers,
    log,
    concurrency: 20,
    onAttempt: (_message, result) => recorded.tell(result),
    onUnderWay: () => undefined,
    onPolled: polls.tell,
    ...changes,
  });
  return { ...worker, recorded, polls, rounds, round: async () => partitions?.round() };
}

/** Result of an attempt that the server accepts. */
export function deliveredResult(message: MessageDocument, at: Date): AttemptResult {
  const { _id: messageId, bucket, accountId, traceId } = message;
  const attempt = message.attempts + 1;
  const expireAt = new Date(at.getTime() + HOUR_MS);
  const _id = `${messageId}.${attempt}.delivered`;
  return {
    message,
    event: { _id, messageId, accountId, traceId, kind: "delivered", attempt, at, expireAt },
    transition: { messageId, bucket, to: "delivered", attempts: attempt, at, expireAt },
    feedback: "accepted",
  };
}

/** Advances time by one second, and waits until the workers have completed their rounds and polls. */
export async function passSecond(time: TestTime, workers: readonly TestWorker[]): Promise<void> {
  const signals = workers.flatMap(({ polls, rounds }) => [polls, rounds]);
  const over = signals.map(({ next }) => next());
  time.pass(1_000);
  await Promise.all(over);
}

const MOST_SECONDS = 600;

/** Advances time by seconds until the condition holds. */
export async function passUntil(
  time: TestTime,
  workers: () => readonly TestWorker[],
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let seconds = 0; !(await isSo()); seconds++) {
    if (seconds === MOST_SECONDS)
      throw new Error(`It did not happen within ${seconds} s of the test's time.`);
    await passSecond(time, workers());
  }
}
