import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import type { JobDocument } from "../../store/job-documents.ts";
import type { NewJob } from "../../store/job-store.ts";
import type { AccountStore } from "../../store/store.ts";

/** Maximum number of open jobs of an account: they run in turn. */
const MAX_OPEN_JOBS = 10;

export interface WantedJob extends Pick<NewJob, "kind" | "params" | "about" | "permission" | "items"> {
  /**
   * Id for a job that the same request must create only once (`idOfPart("job", …)`); missing: each call creates
   * another job.
   */
  readonly id?: string;
}

/**
 * Starts a job, which any core process that knows its kind runs in the background. The caller is a method of the
 * affected area: it has validated the request, and its audit names the action.
 * @throws Fault job.too_many, store.unavailable
 */
export async function beginJob(
  account: Pick<AccountStore, "jobs">,
  { id, kind, params, about, permission, items }: WantedJob,
  { audit }: Pick<HandlerContext, "audit">,
): Promise<JobDocument> {
  const createdAt = audit.now();
  const startedBy: Audit["actor"] = audit.actor;
  const wanted = {
    _id: id ?? newId("job", createdAt),
    kind,
    params,
    about,
    permission,
    startedBy,
    createdAt,
    items,
  };
  const beginning = await account.jobs.begin(wanted, MAX_OPEN_JOBS, audit);
  if (beginning.outcome === "too_many") throw fault("job.too_many");
  return beginning.job;
}
