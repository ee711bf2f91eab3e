import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import type { Clock } from "../../shared/clock.ts";
import { nameOfId, shownId } from "../../shared/suppression-id.ts";
import type { SuppressionDocument } from "../../store/documents.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { Store } from "../../store/store.ts";
import {
  type JobKind,
  type JobStep,
  jobKind,
  jobParams,
  MAX_STEP_ITEMS,
  type RunningJob,
} from "../jobs/job-kind.ts";
import { type EntryFilter, isFound, searchFor } from "./read-filter.ts";

export const REMOVAL_JOB = "suppression.remove" satisfies JobKindName;

/** Entries to remove. */
export interface RemovalParams {
  readonly filter: EntryFilter;
  /** Entries that were added later are not included. */
  readonly at: Date;
}

/**
 * All entries are found and stored first, as in `message.bulk`, because removed entries leave the list that is read.
 */
type Position =
  | { readonly phase: "find"; readonly after?: string; readonly count: number }
  | { readonly phase: "act"; readonly step: number; readonly steps: number };

const CHANGED = {
  outcome: "skipped",
  code: "suppression.changed",
  message: "The entry was changed or added again since the count. It is still on the list.",
} as const;

interface RemovalJobNeeds {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/** Jobs that remove all entries that match a filter. */
export function createRemovalJob({ store, clock }: RemovalJobNeeds): JobKind {
  const paramsOf = jobParams<RemovalParams>;

  function isMeant({ filter, at }: RemovalParams, entry: SuppressionDocument): boolean {
    return entry.createdAt <= at && isFound(entry, filter);
  }

  async function find(
    job: RunningJob,
    { after, count }: Position & { phase: "find" },
  ): Promise<JobStep<Position>> {
    const params = paramsOf(job);
    const { read, cursorOf } = searchFor(params.filter, clock.now());
    const found = await read(store.forAccount(job.accountId).suppressions, { after, limit: MAX_STEP_ITEMS });
    const ids = found.filter((entry) => isMeant(params, entry)).map(shownId);
    const last = found.at(-1);
    const total = count + ids.length;
    if (last && found.length === MAX_STEP_ITEMS) {
      return { results: [], found: ids, next: { phase: "find", after: cursorOf(last), count: total } };
    }
    return { results: [], found: ids, total, next: { phase: "act", step: 0, steps: job.steps + 1 } };
  }

  async function act(
    job: RunningJob,
    { step, steps }: Position & { phase: "act" },
  ): Promise<JobStep<Position>> {
    const ids = await job.foundBy(step);
    const names = ids.flatMap((id) => nameOfId(id) ?? []);
    const { suppressions } = store.forAccount(job.accountId);
    const params = paramsOf(job);
    const left =
      names.length === 0
        ? new Set<string>()
        : await suppressions.removeMeant(names, (entry) => isMeant(params, entry), clock.now(), job.audit);
    // A missing entry was already removed by this step or by another caller.
    const results = ids.map(
      (item): JobResultEntry => (left.has(item) ? { item, ...CHANGED } : { item, outcome: "done" }),
    );
    // A damaged cursor can contain more steps than there were.
    const isLast = !(step + 1 < Math.min(steps, job.steps));
    return { results, next: isLast ? undefined : { phase: "act", step: step + 1, steps } };
  }

  return jobKind<Position>({
    kind: REMOVAL_JOB,
    prepare: async () => ({ place: { phase: "find", count: 0 } }),
    step: (job, position) => (position.phase === "find" ? find(job, position) : act(job, position)),
  });
}
