import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import type { Clock } from "../../shared/clock.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { WatchFilter } from "../../store/watch-list.ts";
import {
  type JobKind,
  type JobStep,
  jobKind,
  jobParams,
  MAX_STEP_ITEMS,
  type RunningJob,
} from "../jobs/job-kind.ts";
import { type ItemResult, itemResult } from "./item-result.ts";

export const BULK_WATCH_JOB = "watched_domain.bulk" satisfies JobKindName;

export const watchActions = ["pause", "resume", "mute", "unmute", "move"] as const;
export type WatchAction = (typeof watchActions)[number];

export interface BulkWatchParams {
  readonly workspaceId: string;
  readonly action: WatchAction;
  /** Empty: the ids of the domains are stored with the job. */
  readonly filter: WatchFilter;
  /** Domains that were added later are not included. */
  readonly at: Date;
  /** Number of selected ids, and of the parts in which they are stored. */
  readonly selected: number;
  readonly parts: number;
  /** For `mute` and `unmute`. */
  readonly checkId?: string;
  readonly until?: Date | undefined;
  readonly reason?: string;
  /** For `move`. */
  readonly clientId?: string;
}

/** All domains are found and stored first, because a change may end the match of a domain with the filter. */
type Position =
  | { readonly phase: "find"; readonly after?: string; readonly count: number }
  | { readonly phase: "act"; readonly step: number; readonly from: number; readonly steps: number };

/** Each domain needs a transaction. */
const DOMAINS_AT_ONCE = 50;

const GONE: ItemResult = {
  outcome: "skipped",
  code: "watched_domain.unknown",
  message: "The domain is no longer watched.",
};
const OVER: ItemResult = {
  outcome: "skipped",
  code: "watched_domain.mute_over",
  message: "The mute has ended before the job reached the domain.",
};

interface BulkWatchNeeds {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Jobs that apply an action to many watched domains. A domain that is so already is done, and stays as it is. */
export function createBulkWatchJob({ store, clock }: BulkWatchNeeds): JobKind {
  const paramsOf = jobParams<BulkWatchParams>;

  async function find(
    job: RunningJob,
    { after, count }: Position & { phase: "find" },
  ): Promise<JobStep<Position>> {
    const { workspaceId, filter, at } = paramsOf(job);
    const place = after === undefined ? undefined : { rank: after, id: "" };
    const page = { limit: MAX_STEP_ITEMS, ...(place && { after: place }) };
    const found = await store.forAccount(job.accountId).watches.list(workspaceId, filter, "name", page);
    const ids = found.filter(({ createdAt }) => createdAt <= at).map(({ _id }) => _id);
    const last = found.at(-1);
    const total = count + ids.length;
    if (last && found.length === MAX_STEP_ITEMS)
      return { results: [], found: ids, next: { phase: "find", after: last.name, count: total } };
    return { results: [], found: ids, total, next: { phase: "act", step: 0, from: 0, steps: job.steps + 1 } };
  }

  async function act(
    job: RunningJob,
    { step, from, steps }: Position & { phase: "act" },
  ): Promise<JobStep<Position>> {
    const ids = await job.foundBy(step);
    const account = store.forAccount(job.accountId);
    const results: JobResultEntry[] = [];
    for (const item of ids.slice(from, from + DOMAINS_AT_ONCE)) {
      job.signal.throwIfAborted();
      results.push({ item, ...(await itemResult(() => apply(account, item, job))) });
    }
    if (from + DOMAINS_AT_ONCE < ids.length)
      return { results, next: { phase: "act", step, from: from + DOMAINS_AT_ONCE, steps } };
    return { results, next: step + 1 < steps ? { phase: "act", step: step + 1, from: 0, steps } : undefined };
  }

  async function apply({ watches }: AccountStore, id: string, job: RunningJob): Promise<ItemResult> {
    const { action, checkId = "", until, reason = "", clientId = "" } = paramsOf(job);
    const { audit } = job;
    const known = await watches.find(id);
    if (!known) return GONE;
    const mute = known.mutes.find((one) => one.checkId === checkId);
    const change = () => {
      switch (action) {
        case "pause":
        case "resume":
          return watches.amend(id, { paused: action === "pause" }, audit);
        case "move":
          return watches.amend(id, { clientId }, audit);
        case "mute":
          if (mute?.until.getTime() === until?.getTime() && (mute?.reason ?? "") === reason) return known;
          return watches.mute(id, { checkId, until, reason }, audit);
        case "unmute":
          return mute ? watches.mute(id, { checkId }, audit) : known;
      }
    };
    if (action === "mute" && !(until && until > clock.now())) return OVER;
    return (await change()) ? { outcome: "done" } : GONE;
  }

  return jobKind<Position>({
    kind: BULK_WATCH_JOB,
    prepare: async (job) => {
      const { selected, parts } = paramsOf(job);
      return parts === 0
        ? { place: { phase: "find", count: 0 } }
        : { total: selected, place: { phase: "act", step: 0, from: 0, steps: parts } };
    },
    step: (job, position) => (position.phase === "find" ? find(job, position) : act(job, position)),
  });
}
