import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type {
  WebhookAnswered,
  WebhookDeliveryDocument,
  WebhookDeliveryState,
} from "../../store/webhook-delivery-documents.ts";
import {
  type JobKind,
  type JobStep,
  jobKind,
  jobParams,
  MAX_STEP_ITEMS,
  type RunningJob,
} from "../jobs/job-kind.ts";
import { isAnswered } from "./delivery-filter.ts";

export const REPLAY_JOB = "webhook.replay" satisfies JobKindName;

/** Deliveries to send again. */
export interface ReplayParams {
  readonly endpointId: string;
  readonly states: readonly WebhookDeliveryState[];
  readonly from?: Date;
  readonly until: Date;
  /** Missing: any type. */
  readonly types?: readonly string[];
  /** Class of the answer to the last attempt. Missing: any. */
  readonly answered?: WebhookAnswered;
}

/** Whether a delivery in the range and in one of the states is among the selected ones. */
export function isSelected(
  { types, answered }: Pick<ReplayParams, "types" | "answered">,
  delivery: Pick<WebhookDeliveryDocument, "type" | "tries">,
): boolean {
  if (types && !types.includes(delivery.type)) return false;
  return answered === undefined || isAnswered(delivery, answered);
}

/** The part of a selection that an index answers. */
export function rangeOf({ endpointId, states, from, until }: ReplayParams) {
  return { endpointId, states, until, ...(from && { from }) };
}

/**
 * All deliveries are found and stored first, as in `message.bulk`, because deliveries that are sent again no longer
 * match the search.
 */
type Position =
  | {
      readonly phase: "find";
      readonly after?: { readonly _id: string; readonly at: Date };
      readonly count: number;
    }
  | { readonly phase: "act"; readonly step: number; readonly steps: number };

const UNKNOWN = {
  outcome: "skipped",
  code: "webhook.delivery_unknown",
  message: "The delivery no longer exists, or already waits for an attempt.",
} as const;

export interface ReplayJobNeeds {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Jobs that send deliveries of one endpoint again. */
export function createReplayJob({ store, clock }: ReplayJobNeeds): JobKind {
  const paramsOf = jobParams<ReplayParams>;

  async function find(
    job: RunningJob,
    { after, count }: Position & { phase: "find" },
  ): Promise<JobStep<Position>> {
    const params = paramsOf(job);
    const page = { ...rangeOf(params), limit: MAX_STEP_ITEMS, ...(after && { after }) };
    const found = await store.forAccount(job.accountId).webhookDeliveries.list(page);
    const ids = found.filter((one) => isSelected(params, one)).map(({ _id }) => _id);
    const last = found.at(-1);
    const total = count + ids.length;
    if (last && found.length === MAX_STEP_ITEMS) {
      const { _id, at } = last;
      return { results: [], found: ids, next: { phase: "find", after: { _id, at }, count: total } };
    }
    return { results: [], found: ids, total, next: { phase: "act", step: 0, steps: job.steps + 1 } };
  }

  async function act(
    job: RunningJob,
    { step, steps }: Position & { phase: "act" },
  ): Promise<JobStep<Position>> {
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
    // A damaged cursor can contain more steps than there were.
    return {
      results,
      next: step + 1 < Math.min(steps, job.steps) ? { phase: "act", step: step + 1, steps } : undefined,
    };
  }

  return jobKind<Position>({
    kind: REPLAY_JOB,
    prepare: async () => ({ place: { phase: "find", count: 0 } }),
    step: (job, position) => (position.phase === "find" ? find(job, position) : act(job, position)),
  });
}
