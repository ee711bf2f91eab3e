import { fromJsonString } from "@bufbuild/protobuf";
import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import { IncidentFilterSchema } from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { Incident } from "../../alerts/incident.ts";
import { fault } from "../../shared/fault.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import {
  type JobKind,
  type JobStep,
  jobKind,
  jobParams,
  MAX_STEP_ITEMS,
  type RunningJob,
} from "../jobs/job-kind.ts";
import { type BulkIncidentAction, bulkIncidentActions } from "./alert-engine.ts";
import { isMatch } from "./incident-filter.ts";
import { frozenFilter } from "./read-incident-bulk.ts";
import { cursorOf, listIncidents } from "./search-incidents.ts";

export const INCIDENT_BULK_JOB = "incident.bulk" satisfies JobKindName;

const MAX_INCIDENTS = 100_000;
/** Incidents of one transaction: each may have thousands of active alerts. */
const AT_ONCE = 20;

/** Incidents to change. */
export interface IncidentBulkParams {
  readonly action: string;
  /** Incidents that were opened later are not included. */
  readonly at: Date;
  readonly ids?: readonly string[];
  /** `IncidentFilter` of the request, as JSON. */
  readonly filter?: string;
}

/** All incidents are found and stored first, as in `message.bulk`, because changed ones no longer match the filter. */
type Position =
  | { readonly phase: "find"; readonly after?: string; readonly count: number }
  /** `from`: index of the next incident among those of the step. */
  | { readonly phase: "act"; readonly step: number; readonly from: number; readonly steps: number };

const UNKNOWN = {
  outcome: "failed",
  code: "incident.unknown",
  message: "The incident no longer exists.",
} as const;

/** Jobs that acknowledge or resolve many incidents. */
export function createIncidentBulkJob({
  store,
  alertEngine,
}: Pick<Dependencies, "store" | "alertEngine">): JobKind {
  const paramsOf = jobParams<IncidentBulkParams>;

  /** The next selected incidents: those of a filter oldest first, ids in their order. */
  async function next(job: RunningJob, after: string | undefined) {
    const { ids, filter: text = "{}", at } = paramsOf(job);
    if (ids) {
      const start = after === undefined ? 0 : ids.findIndex((id) => id > after);
      const part = start === -1 ? [] : ids.slice(start, start + MAX_STEP_ITEMS);
      return { ids: part, after: part.at(-1) === ids.at(-1) ? undefined : part.at(-1) };
    }
    const filter = frozenFilter(fromJsonString(IncidentFilterSchema, text), at);
    const listing = { filter, sort: "oldest", after, limit: MAX_STEP_ITEMS } as const;
    const found = await listIncidents(store.forAccount(job.accountId), listing);
    const last = found.length === MAX_STEP_ITEMS ? found.at(-1) : undefined;
    const matching = found.filter((one) => isMatch(filter, one));
    return { ids: matching.map(({ _id }) => _id), after: last && cursorOf(last) };
  }

  async function find(job: RunningJob, position: Position & { phase: "find" }): Promise<JobStep<Position>> {
    const { ids, after } = await next(job, position.after);
    const count = position.count + ids.length;
    if (count > MAX_INCIDENTS) throw fault("incident.bulk_too_large");
    if (after !== undefined) return { results: [], found: ids, next: { phase: "find", after, count } };
    const act: Position = { phase: "act", step: 0, from: 0, steps: job.steps + 1 };
    return { results: [], found: ids, total: count, next: act };
  }

  async function act(job: RunningJob, position: Position & { phase: "act" }): Promise<JobStep<Position>> {
    const { step, from, steps } = position;
    const found = await job.foundBy(step);
    const ids = found.slice(from, from + AT_ONCE);
    const action = actionOf(paramsOf(job));
    const { accountId, _id: jobId, startedBy } = job;
    const asked = { accountId, ids, action, by: startedBy.name, jobId };
    const changed = ids.length === 0 ? [] : await alertEngine.changeMany(asked);
    const byId = new Map(changed.map((one) => [one._id, one]));
    const results = ids.map((item): JobResultEntry => {
      const incident = byId.get(item);
      return { item, ...(incident ? entryOf(jobId, incident) : UNKNOWN) };
    });
    if (from + ids.length < found.length)
      return { results, next: { phase: "act", step, from: from + ids.length, steps } };
    // A damaged cursor can contain more steps than there were.
    const isLast = !(step + 1 < Math.min(steps, job.steps));
    return { results, next: isLast ? undefined : { phase: "act", step: step + 1, from: 0, steps } };
  }

  return jobKind<Position>({
    kind: INCIDENT_BULK_JOB,
    prepare: async () => ({ place: { phase: "find", count: 0 } }),
    step: (job, position) => (position.phase === "find" ? find(job, position) : act(job, position)),
  });
}

/** A later release knew the action, and started the job. */
function actionOf({ action }: IncidentBulkParams): BulkIncidentAction {
  const known = bulkIncidentActions.find((one) => one === action);
  if (known) return known;
  throw fault("internal.error", { internal: `unknown bulk action ${action}` });
}

function entryOf(jobId: string, { changedBy, state }: Incident): Omit<JobResultEntry, "item"> {
  if (changedBy === jobId) return { outcome: "done" };
  const code = state === "resolved" ? "incident.resolved" : "incident.acknowledged";
  return { outcome: "skipped", code, message: `The incident is already ${state}.` };
}
