import { jobKinds } from "../../../contracts/common/job-kinds.ts";
import { JobService } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import { JOB_RETENTION_MS, type JobDocument, jobStates } from "../../store/job-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createListResults } from "./list-results.ts";
import { toJob } from "./to-job.ts";

/** Jobs: progress of long-running work, and the result of each item. */
export const jobs: Area<Pick<Dependencies, "store" | "clock">> = defineArea(JobService, {
  /**
   * Lists jobs, newest first.
   * @throws Fault account.unknown, request.validation_failed
   */
  listJobs: [
    permitted("jobs.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const limit = pageSizeOf(request.pageSize);
        const state = readOneOf("state", request.state, jobStates);
        const kind = readOneOf("kind", request.kind, jobKinds);
        const before = pageStartOf(request.pageToken, (token) => (isId("job", token) ? token : undefined));
        const found = await account.jobs.list({ state, kind, before, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
        return { jobs: entries.map(toJob), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, job.unknown */
  getJob: [
    permitted("jobs.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const job = await account.jobs.find(request.id);
        if (!job) throw fault("job.unknown");
        return { job: toJob(job) };
      },
  ],
  listResults: [permitted("jobs.read"), READS, createListResults],
  /**
   * Requires the permission to start the job.
   * @throws Fault account.unknown, job.unknown, job.ended, auth.permission_missing
   */
  cancelJob: [
    permitted("jobs.write"),
    changes("job.cancel", "id"),
    ({ store, clock }) =>
      async (request, { audit, principal }) => {
        const account = await resolveAccount(store, request);
        const found = await account.jobs.find(request.id);
        if (!found) throw fault("job.unknown");
        if (principal && !principal.permissions.has(found.permission)) {
          const sentence = say("cancelling_job_needs_permission_beginning_did", {
            permission: found.permission,
          });
          throw fault("auth.permission_missing", { public: sentence });
        }
        const at = clock.now();
        const end = {
          finishedAt: at,
          cancelRequestedAt: at,
          expireAt: new Date(at.getTime() + JOB_RETENTION_MS),
        };
        const job = await account.jobs.requestCancel(found._id, end, audit);
        if (!job) throw fault("job.unknown");
        checkEnd(job);
        return { job: toJob(job) };
      },
  ],
});

/** @throws Fault job.ended */
function checkEnd({ _id: id, state }: JobDocument): void {
  if (state !== "succeeded" && state !== "failed") return;
  throw fault("job.ended", { public: say("job_ended", { id, state }) });
}

/**
 * Value of a filter; undefined: it is not set.
 * @throws Fault request.validation_failed
 */
function readOneOf<Value extends string>(
  field: "state" | "kind",
  given: string,
  allowed: readonly Value[],
): Value | undefined {
  if (given === "") return undefined;
  const value = allowed.find((one) => one === given);
  if (value) return value;
  const message = say("none_of", { given, allowed });
  throw validationFault([{ pointer: `/${field}`, code: "field.invalid", message }]);
}
