import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type { WebhookDeliveryState } from "../../store/webhook-delivery-documents.ts";
import { type JobKind, type JobStep, jobKind, MAX_STEP_ITEMS, type RunningJob } from "../jobs/job-kind.ts";

export const REPLAY_JOB = "webhook.replay";

/** Which deliveries are sent once more. */
export interface ReplayParams {
  readonly endpointId: string;
  readonly states: readonly WebhookDeliveryState[];
  readonly from?: Date;
  readonly until: Date;
}

/** First all are found and kept, as of `message.bulk`: those that are sent once more leave the states that are looked for. */
type Place =
  | {
      readonly phase: "find";
      readonly after?: { readonly _id: string; readonly at: Date };
      readonly count: number;
    }
  | { readonly phase: "act"; readonly step: number; readonly steps: number };

const UNKNOWN = {
  outcome: "skipped",
  code: "webhook.delivery_unknown",
  message: "The delivery no longer exists, or is already waiting.",
} as const;

export interface ReplayJobNeeds {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** The kind of jobs that send deliveries of one endpoint once more. */
export function createReplayJob({ store, clock }: ReplayJobNeeds): JobKind {
  const paramsOf = ({ params }: RunningJob) => params as unknown as ReplayParams;

  async function find(job: RunningJob, { after, count }: Place & { phase: "find" }): Promise<JobStep<Place>> {
    const page = { ...paramsOf(job), limit: MAX_STEP_ITEMS, ...(after && { after }) };
    const found = await store.forAccount(job.accountId).webhookDeliveries.list(page);
    const ids = found.map(({ _id }) => _id);
    const last = found.at(-1);
    const total = count + ids.length;
    if (last && found.length === MAX_STEP_ITEMS) {
      const { _id, at } = last;
      return { results: [], found: ids, next: { phase: "find", after: { _id, at }, count: total } };
    }
    return { results: [], found: ids, total, next: { phase: "act", step: 0, steps: job.steps + 1 } };
  }

  async function act(job: RunningJob, { step, steps }: Place & { phase: "act" }): Promise<JobStep<Place>> {
    const ids = await job.foundBy(step);
    const { endpointId } = paramsOf(job);
    const { webhookDeliveries } = store.forAccount(job.accountId);
    const replayed =
      ids.length === 0
        ? new Set<string>()
        : await webhookDeliveries.replayMany({ ids, endpointId }, job.createdAt, clock.now());
    const results = ids.map((item) =>
      replayed.has(item) ? ({ item, outcome: "done" } as const) : { item, ...UNKNOWN },
    );
    // A damaged place names more steps than there were.
    return {
      results,
      next: step + 1 < Math.min(steps, job.steps) ? { phase: "act", step: step + 1, steps } : undefined,
    };
  }

  return jobKind<Place>({
    kind: REPLAY_JOB,
    prepare: async () => ({ place: { phase: "find", count: 0 } }),
    step: (job, place) => (place.phase === "find" ? find(job, place) : act(job, place)),
  });
}
