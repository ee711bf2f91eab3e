import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CancelJobRequest,
  type CancelJobResponseSchema,
  type GetJobRequest,
  type GetJobResponseSchema,
  JobService,
  type ListJobsRequest,
  type ListJobsResponseSchema,
} from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS } from "../../rpc/audits.ts";
import { type HandlerContext, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { isId } from "../../shared/ids.ts";
import { JOB_RETENTION_MS, type JobDocument, type JobState, jobStates } from "../../store/job-documents.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createListResults } from "./list-results.ts";
import { toJob } from "./to-job.ts";

interface JobNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

/** Jobs: how far long work is, and what became of each item. */
export const jobs = defineArea({
  service: JobService,
  callers: {
    listJobs: permitted("jobs.read"),
    getJob: permitted("jobs.read"),
    listResults: permitted("jobs.read"),
    cancelJob: permitted("jobs.write"),
  },
  audits: { listJobs: LOOKS, getJob: LOOKS, listResults: LOOKS, cancelJob: changes("job.cancel", "id") },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => ({
    listJobs: createListJobs({ store }),
    getJob: createGetJob({ store }),
    listResults: createListResults({ store }),
    cancelJob: createCancelJob({ store, clock }),
  }),
});

/**
 * Newest first.
 * @throws Fault account.unknown, request.validation_failed
 */
function createListJobs({ store }: JobNeeds) {
  return async (request: ListJobsRequest): Promise<MessageInitShape<typeof ListJobsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const limit = pageSizeOf(request.pageSize);
    const state = readState(request.state);
    const before = pageStartOf(request.pageToken, (token) => (isId("job", token) ? token : undefined));
    const found = await account.jobs.list({ state, before, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { jobs: entries.map(toJob), nextPageToken };
  };
}

/** @throws Fault account.unknown, job.unknown */
function createGetJob({ store }: JobNeeds) {
  return async (request: GetJobRequest): Promise<MessageInitShape<typeof GetJobResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const job = await account.jobs.find(request.id);
    if (!job) throw fault("job.unknown");
    return { job: toJob(job) };
  };
}

/**
 * Who may begin a job may end it.
 * @throws Fault account.unknown, job.unknown, job.ended, auth.permission_missing
 */
function createCancelJob({ store, clock }: JobNeeds & Pick<Dependencies, "clock">) {
  return async (
    request: CancelJobRequest,
    { audit, principal }: Pick<HandlerContext, "audit" | "principal">,
  ): Promise<MessageInitShape<typeof CancelJobResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const found = await account.jobs.find(request.id);
    if (!found) throw fault("job.unknown");
    if (principal && !principal.permissions.has(found.permission)) {
      const sentence = `Cancelling this job needs the permission ${found.permission}, as beginning it did.`;
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
  };
}

/** @throws Fault job.ended */
function checkEnd({ _id: id, state }: JobDocument): void {
  if (state !== "succeeded" && state !== "failed") return;
  throw fault("job.ended", { public: `The job ${id} has ${state} already.` });
}

/** @throws Fault request.validation_failed */
function readState(given: string): JobState | undefined {
  if (given === "") return undefined;
  const state = jobStates.find((one) => one === given);
  if (state) return state;
  const message = `"${given}" is none of ${jobStates.join(", ")}.`;
  throw validationFault([{ pointer: "/state", code: "field.invalid", message }]);
}
