import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import type { JobDocument } from "../../store/job-documents.ts";
import type { NewJob } from "../../store/job-store.ts";
import type { AccountStore } from "../../store/store.ts";

/** Jobs that an account may have open: those of one have their turns one after the other. */
const MAX_OPEN_JOBS = 10;

export interface WantedJob extends Pick<NewJob, "kind" | "params" | "about" | "permission"> {
  /** Where the same request is to make the same job (`idOfPart("job", …)`); missing: each makes another one. */
  readonly id?: string;
}

/**
 * Begins a job; it is done in the background, by any core process that knows its kind. What calls this is a method of the
 * area that the job is about, which has checked the request, and whose audit names the action.
 * @throws Fault job.too_many, store.unavailable
 */
export async function beginJob(
  account: Pick<AccountStore, "jobs">,
  { id, kind, params, about, permission }: WantedJob,
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
  };
  const beginning = await account.jobs.begin(wanted, MAX_OPEN_JOBS, audit);
  if (beginning.outcome === "too_many") throw fault("job.too_many");
  return beginning.job;
}
