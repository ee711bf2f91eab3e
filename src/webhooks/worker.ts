import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../shared/logger.ts";
import { createNaturalBatch } from "../shared/natural-batch.ts";
import type { WebhookResult } from "../store/delivery-results.ts";
import { isRefused } from "../store/store-fault.ts";
import { WEBHOOK_SLOTS } from "../store/webhook-delivery-documents.ts";
import { createCapacity } from "./capacity.ts";
import type { Pace } from "./pace.ts";
import type { QueueEndpoint } from "./queue-endpoint.ts";
import { createRates } from "./rates.ts";
import { type QueueOptions, runQueue } from "./run-queue.ts";

export interface WebhookWorker {
  /** Finds endpoints with due deliveries and starts their lanes. Does not wait for the deliveries. */
  check(): Promise<void>;
  /** Resolves when no lane is running. */
  idle(): Promise<void>;
  /** Starts nothing new. */
  drain(): void;
  /** Drains, and waits for running lanes for at most this time. Then it aborts the rest, which remains due. */
  stop(drainMs: number): Promise<void>;
}

export interface WebhookWorkerOptions
  extends Omit<QueueOptions, "record" | "capacity" | "paced" | "onBegin" | "isOverdue" | "mayBegin"> {
  /** Queue partitions that this worker currently holds. A worker is responsible for the slots that map to its partitions. */
  readonly held: () => readonly number[];
  readonly partitionCount: number;
  readonly pace: Pace;
  /** Aborts all attempts in progress. */
  readonly abandon: () => void;
  readonly log: Logger;
  /** Maximum number of concurrent lanes. Default: 1,000. */
  readonly maxQueues?: number;
  /** Waits this number of milliseconds. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Concurrent requests. Each takes a socket and some kilobytes. */
const CAPACITY = { all: 500, failing: 250, perAccount: 100 };
const MAX_QUEUES = 1_000;
/** Maximum duration of a lane while all lanes are in use, so that waiting endpoints get their turn. */
const QUEUE_MS = 5_000;
/** Size of a stored result without its body: the attempts and the headers of the latest. */
const RESULT_BYTES = 8_192;
const GATHER_MS = 50;
const MOST_WAIT_MS = 1_000;
/** Pause of a lane after the store was unavailable or the endpoint could not be read. */
const PAUSE_MS = 5_000;

/**
 * Delivers events to endpoints. Only the worker that holds the slot of an endpoint serves it, in a lane of its own. The leases
 * are those of the queue partitions: a worker that lost one starts nothing new. If two workers store the same result, it counts
 * once.
 */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { deliveries, held, partitionCount, pace, abandon, clock, log } = options;
  const { maxQueues = MAX_QUEUES, sleep = delay } = options;
  const rates = createRates();
  const capacity = createCapacity(CAPACITY);
  const queues = new Map<string, Promise<void>>();
  /** Lanes that failed, with the monotonic time until which they pause. */
  const paused = new Map<string, number>();
  let isDraining = false;

  const results = createNaturalBatch<WebhookResult, void>({
    run: async (all) => {
      await recordAll(all);
      return all.map(() => ({ ok: true, value: undefined }));
    },
    maxItems: 500,
    maxSize: 4 * 1024 * 1024,
    sizeOf: ({ body = "" }) => body.length + RESULT_BYTES,
    maxConcurrent: 1,
    enoughItems: 100,
    // Each write competes with mail delivery, and no caller waits for these results.
    gatherMs: GATHER_MS,
  });

  /**
   * Stores results. If the store rejects one, the others are still stored: its delivery ends as damaged and is not sent again.
   */
  async function recordAll(all: readonly WebhookResult[]): Promise<void> {
    try {
      return await deliveries.record(all);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (all.length > 1) {
        for (const one of all) await recordAll([one]);
        return;
      }
      const reason = `its result cannot be stored: ${(error as Error).message}`;
      const damaged = all.map(({ delivery: { _id: id } }) => ({ id, reason }));
      const at = clock.now();
      await deliveries.endDamaged(damaged, at, new Date(at.getTime() + options.keptMs));
      for (const one of damaged) options.onDamaged(one);
    }
  }

  function mayBegin({ slot }: { readonly slot: number }): boolean {
    return !isDraining && held().includes(slot % partitionCount);
  }

  function isOverdue(begunMs: number): boolean {
    return queues.size >= maxQueues && clock.monotonicMs() - begunMs >= QUEUE_MS;
  }

  /** Waits for the rate of the endpoint, then for the rate of the process. */
  async function paced({ _id }: QueueEndpoint): Promise<void> {
    await wait(rates.waitMs(_id, clock.monotonicMs()));
    await wait(pace.next(clock.monotonicMs()));
  }

  /** Bounded, because draining waits for it. */
  async function wait(ms: number): Promise<void> {
    if (ms >= 1) await sleep(Math.min(ms, MOST_WAIT_MS));
  }

  function onBegin({ _id, ratePerSecond }: QueueEndpoint): void {
    rates.begin(_id, ratePerSecond, clock.monotonicMs());
  }

  async function idle(): Promise<void> {
    await Promise.all(queues.values());
  }

  return {
    async check() {
      pace.check();
      if (isDraining || queues.size >= maxQueues) return;
      const partitions = new Set(held());
      const slots = Array.from({ length: WEBHOOK_SLOTS }, (_, slot) => slot).filter((slot) =>
        partitions.has(slot % partitionCount),
      );
      for (const [id, untilMs] of paused) if (untilMs <= clock.monotonicMs()) paused.delete(id);
      // Lanes that are skipped may all be the first ones.
      const most = maxQueues + queues.size + paused.size;
      for (const queue of await deliveries.dueQueues(slots, clock.now(), most)) {
        if (queues.has(queue._id) || paused.has(queue._id) || queues.size >= maxQueues) continue;
        const record = results.submit;
        const parts = { record, capacity, paced, onBegin, isOverdue, mayBegin };
        const running = runQueue(queue, { ...options, ...parts })
          .catch((error) => {
            // Deliveries aborted at the end of the process are due when the next process starts.
            if (isDraining) return;
            log.warn({ err: error, endpoint: queue._id }, "deliveries to a webhook endpoint are paused");
            paused.set(queue._id, clock.monotonicMs() + PAUSE_MS);
          })
          .finally(() => queues.delete(queue._id));
        queues.set(queue._id, running);
      }
    },

    idle,

    drain: () => {
      isDraining = true;
    },

    async stop(drainMs) {
      isDraining = true;
      const timer = setTimeout(abandon, drainMs);
      await idle();
      clearTimeout(timer);
    },
  };
}
