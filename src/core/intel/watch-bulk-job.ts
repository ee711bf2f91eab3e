import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { WatchName } from "../../store/find-watches.ts";
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
import { createRemoval } from "../resource-use.ts";
import { type ItemResult, itemResult } from "./item-result.ts";
import { MAX_TAGS } from "./read-client.ts";

export const BULK_WATCH_JOB = "watched_domain.bulk" satisfies JobKindName;

export const watchActions = [
  "pause",
  "resume",
  "mute",
  "unmute",
  "move",
  "tag",
  "untag",
  "note",
  "remove",
] as const;
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
  /** For `tag` and `untag`. */
  readonly tags?: readonly string[];
  /** For `note`. Empty: the domains have no notes. */
  readonly notes?: string;
}

/** Some of the stored domains: of the step `step`, from the number `from`. */
interface Part {
  readonly step: number;
  readonly from: number;
  /** Number of steps with stored domains. */
  readonly steps: number;
}

/**
 * All domains are found and stored first, because a change may end the match of a domain with the filter. A removal also
 * stores the domains that exist before it: a step that runs again does not find those that it has removed.
 */
type Position =
  | { readonly phase: "find"; readonly after?: string; readonly count: number }
  | ({ readonly phase: "act" } & Part)
  | ({ readonly phase: "remove"; readonly present: readonly WatchName[] } & Part);

/** Each domain needs a transaction. */
const DOMAINS_AT_ONCE = 50;
/** A domain may have a year of reports. */
const REMOVED_AT_ONCE = 10;

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

  async function act(job: RunningJob, { step, from, steps }: Part): Promise<JobStep<Position>> {
    const ids = await job.foundBy(step);
    const account = store.forAccount(job.accountId);
    const { action, workspaceId } = paramsOf(job);
    if (action === "remove") {
      const some = ids.slice(from, from + REMOVED_AT_ONCE);
      const present = await account.watches.findNamesOf(workspaceId, some);
      return { results: [], next: { phase: "remove", step, from, steps, present } };
    }
    const results: JobResultEntry[] = [];
    for (const item of ids.slice(from, from + DOMAINS_AT_ONCE)) {
      job.signal.throwIfAborted();
      results.push({ item, ...(await itemResult(() => apply(account, item, action, job))) });
    }
    return { results, next: partAfter({ step, from, steps }, DOMAINS_AT_ONCE, ids.length) };
  }

  /** Removes domains with all their data. A domain that a schedule uses stays. */
  async function remove(
    job: RunningJob,
    { step, from, steps, present }: Position & { phase: "remove" },
  ): Promise<JobStep<Position>> {
    const ids = await job.foundBy(step);
    const { watches, aggregateReports } = store.forAccount(job.accountId);
    const names = new Map(present.map(({ id, name }) => [id, name]));
    const results: JobResultEntry[] = [];
    for (const id of ids.slice(from, from + REMOVED_AT_ONCE)) {
      job.signal.throwIfAborted();
      const name = names.get(id);
      const result = await itemResult(async () => {
        if (name === undefined) return GONE;
        const removal = createRemoval({ kind: "watched_domain", name }, { force: false });
        await watches.remove(id, job.audit, removal.check);
        await aggregateReports.forget(id);
        return { outcome: "done" };
      });
      // The page of a removed domain does not exist.
      results.push({ item: result.outcome === "done" && name !== undefined ? name : id, ...result });
    }
    return { results, next: partAfter({ step, from, steps }, REMOVED_AT_ONCE, ids.length) };
  }

  async function apply(
    { watches }: AccountStore,
    id: string,
    action: Exclude<WatchAction, "remove">,
    job: RunningJob,
  ): Promise<ItemResult> {
    const { workspaceId, checkId = "", until, reason = "", clientId = "" } = paramsOf(job);
    const { tags = [], notes = "" } = paramsOf(job);
    const { audit } = job;
    const known = await watches.find(id);
    if (known?.workspaceId !== workspaceId) return GONE;
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
        case "tag":
          return watches.amend(id, { tags: (former) => taggedWith(former, tags) }, audit);
        case "untag":
          return watches.amend(id, { tags: (former) => former.filter((one) => !tags.includes(one)) }, audit);
        case "note":
          return watches.amend(id, { notes }, audit);
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
    step: (job, position) => {
      if (position.phase === "find") return find(job, position);
      return position.phase === "act" ? act(job, position) : remove(job, position);
    },
  });
}

/** The domains after a part; undefined: it was the last one. */
function partAfter({ step, from, steps }: Part, size: number, count: number): Position | undefined {
  if (from + size < count) return { phase: "act", step, from: from + size, steps };
  return step + 1 < steps ? { phase: "act", step: step + 1, from: 0, steps } : undefined;
}

/** @throws Fault request.validation_failed if a domain would have too many tags */
function taggedWith(former: readonly string[], tags: readonly string[]): readonly string[] {
  const all = [...new Set([...former, ...tags])];
  if (all.length <= MAX_TAGS) return all;
  const message = say("most_tags_given", { max: MAX_TAGS });
  throw validationFault([{ pointer: "/tags", code: "field.too_many", message }]);
}
