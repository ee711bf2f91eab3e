import type { Logger } from "../shared/logger.ts";
import { createNaturalBatch } from "../shared/natural-batch.ts";
import { isRefused } from "../store/store-fault.ts";
import { WEBHOOK_SLOTS } from "../store/webhook-delivery-documents.ts";
import type { WebhookResult } from "../store/webhook-delivery-store.ts";
import { type LaneOptions, runLane } from "./lane.ts";
import type { Pace } from "./pace.ts";
import { createPlaces } from "./places.ts";

export interface WebhookWorker {
  /** Looks for endpoints for which something is due, and begins with them; does not wait for their deliveries. */
  look(): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Begins nothing new from now on. */
  drain(): void;
  /** Drains, and waits for what is under way, at most so long; what is still under way then is given up, and stays due. */
  stop(drainMs: number): Promise<void>;
}

export interface WebhookWorkerOptions
  extends Omit<LaneOptions, "record" | "places" | "paced" | "isOverdue" | "mayBegin"> {
  /** The partitions of the queue that this worker holds right now, of so many: whoever has one has the slots that fall to it. */
  readonly held: () => readonly number[];
  readonly partitionCount: number;
  readonly pace: Pace;
  /** Gives up all attempts under way. */
  readonly abandon: () => void;
  readonly log: Logger;
  /** Endpoints that are worked for at once (1,000). */
  readonly mostLanes?: number;
}

/** Requests under way. Each is a socket and some kilobytes. */
const PLACES = { all: 500, failing: 250, perAccount: 100 };
const MOST_LANES = 1_000;
/** When all lanes are in use, each ends after this, so that the endpoints that wait have their turn. */
const LANE_MS = 5_000;
const GATHER_MS = 50;
const MOST_WAIT_MS = 1_000;
/** Where the store was away, or an endpoint cannot be read, nothing is begun for so long. */
const PAUSE_MS = 5_000;

/**
 * Delivers events to endpoints: each is one worker's, the one that holds its slot, and has a lane of its own there. The
 * leases are those of the queue's partitions; who has lost one begins nothing more, and what both write counts once.
 */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { deliveries, held, partitionCount, pace, abandon, clock, log, mostLanes = MOST_LANES } = options;
  const places = createPlaces(PLACES);
  const lanes = new Map<string, Promise<void>>();
  /** Lanes that have failed, and until when they are left alone: a time of the monotonic clock. */
  const paused = new Map<string, number>();
  let isDraining = false;

  const results = createNaturalBatch<WebhookResult, void>({
    run: async (all) => {
      await recordAll(all);
      return all.map(() => ({ ok: true, value: undefined }));
    },
    maxItems: 500,
    maxSize: 4 * 1024 * 1024,
    sizeOf: ({ body = "" }) => body.length + 4_096,
    maxConcurrent: 1,
    enoughItems: 100,
    // Each write is one more in the way of mail, and nobody waits for these.
    gatherMs: GATHER_MS,
  });

  /** Records results. One that the store refuses keeps none of the others: its delivery ends as damaged, and is not sent again. */
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
    return lanes.size >= mostLanes && clock.monotonicMs() - begunMs >= LANE_MS;
  }

  async function paced(): Promise<void> {
    const waitMs = pace.next(clock.monotonicMs());
    // No longer: who drains waits for it.
    if (waitMs >= 1) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, MOST_WAIT_MS)));
  }

  async function idle(): Promise<void> {
    await Promise.all(lanes.values());
  }

  return {
    async look() {
      pace.look();
      if (isDraining || lanes.size >= mostLanes) return;
      const partitions = new Set(held());
      const slots = Array.from({ length: WEBHOOK_SLOTS }, (_, slot) => slot).filter((slot) =>
        partitions.has(slot % partitionCount),
      );
      for (const [id, untilMs] of paused) if (untilMs <= clock.monotonicMs()) paused.delete(id);
      // Those that are passed over may all be the first.
      const most = mostLanes + lanes.size + paused.size;
      for (const lane of await deliveries.dueLanes(slots, clock.now(), most)) {
        if (lanes.has(lane._id) || paused.has(lane._id) || lanes.size >= mostLanes) continue;
        const record = results.submit;
        const running = runLane(lane, { ...options, record, places, paced, isOverdue, mayBegin })
          .catch((error) => {
            // What was given up at the end of the process is due when the next one begins.
            if (isDraining) return;
            log.warn({ err: error, endpoint: lane._id }, "webhooks of an endpoint wait for a while");
            paused.set(lane._id, clock.monotonicMs() + PAUSE_MS);
          })
          .finally(() => lanes.delete(lane._id));
        lanes.set(lane._id, running);
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
