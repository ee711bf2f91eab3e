import { fromJsonString } from "@bufbuild/protobuf";
import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import { MessageFilterSchema } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Store } from "../../store/store.ts";
import {
  type JobKind,
  type JobStep,
  jobKind,
  jobParams,
  MAX_STEP_ITEMS,
  type RunningJob,
} from "../jobs/job-kind.ts";
import type { BulkActions } from "./bulk-action.ts";
import { frozenFilter } from "./read-bulk.ts";

export const BULK_JOB = "message.bulk" satisfies JobKindName;

/** Maximum number of messages of one job: their ids are stored, with about 30 bytes each. */
const MAX_MESSAGES = 1_000_000;

/** Parameters of a job of bulk actions. */
export interface BulkParams {
  readonly action: string;
  /** Messages that were accepted later are not included. */
  readonly at: Date;
  readonly ids?: readonly string[];
  /** `MessageFilter` of the request, as JSON. */
  readonly filter?: string;
}

/**
 * All ids are found and stored first, and then the action is applied, so that the effects of a step do not change
 * which messages match the filter.
 */
type Position =
  | { readonly phase: "find"; readonly before?: string; readonly count: number }
  /**
   * `step`: step that found the next messages; `from`: index of the next one, missing: the first; `steps`: number of
   * steps that have found some.
   */
  | { readonly phase: "act"; readonly step: number; readonly from?: number; readonly steps: number };

/** Wait after a step without capacity. */
const AGAIN_MS = 1_000;

export interface BulkJobNeeds {
  readonly store: Pick<Store, "forAccount">;
  readonly actions: BulkActions;
}

/** Jobs that apply an action to many messages. */
export function createBulkJob({ store, actions }: BulkJobNeeds): JobKind {
  const paramsOf = jobParams<BulkParams>;

  /** The next selected messages: those of a filter newest first, ids in their order. */
  async function next(job: RunningJob, before: string | undefined) {
    const { ids, filter: text = "{}", at } = paramsOf(job);
    if (ids) {
      const start = before === undefined ? 0 : ids.findIndex((id) => id > before);
      const part = start === -1 ? [] : ids.slice(start, start + MAX_STEP_ITEMS);
      return { ids: part, before: part.at(-1) === ids.at(-1) ? undefined : part.at(-1) };
    }
    const filter = frozenFilter(fromJsonString(MessageFilterSchema, text), at);
    const page = { filter, limit: MAX_STEP_ITEMS, ...withoutUndefined({ beforeId: before }) };
    const { messages, nextBeforeId } = await store.forAccount(job.accountId).messages.list(page);
    return { ids: messages.map(({ _id }) => _id), before: nextBeforeId };
  }

  async function find(job: RunningJob, position: Position & { phase: "find" }): Promise<JobStep<Position>> {
    const { ids, before } = await next(job, position.before);
    const count = position.count + ids.length;
    if (count > MAX_MESSAGES) throw fault("message.bulk_too_large");
    if (before !== undefined) return { results: [], found: ids, next: { phase: "find", before, count } };
    const act: Position = { phase: "act", step: 0, steps: job.steps + 1 };
    return { results: [], found: ids, total: count, next: act };
  }

  async function act(job: RunningJob, position: Position & { phase: "act" }): Promise<JobStep<Position>> {
    const { step, from = 0, steps } = position;
    const { action } = paramsOf(job);
    const doing = actions[action];
    // A later release knew the action, and started the job.
    if (!doing) throw fault("internal.error", { internal: `unknown bulk action ${action}` });
    const ids = (await job.foundBy(step)).slice(from);
    const results = ids.length === 0 ? [] : await doing.act(job, ids);
    if (results.length < ids.length) {
      const next = { phase: "act", step, from: from + results.length, steps } as const;
      return { results, next, pauseMs: results.length === 0 ? AGAIN_MS : 0 };
    }
    // A damaged cursor can contain more steps than there were.
    const isLast = !(step + 1 < Math.min(steps, job.steps));
    return { results, next: isLast ? undefined : { phase: "act", step: step + 1, steps } };
  }

  return jobKind<Position>({
    kind: BULK_JOB,
    prepare: async () => ({ place: { phase: "find", count: 0 } }),
    step: (job, position) => (position.phase === "find" ? find(job, position) : act(job, position)),
  });
}
