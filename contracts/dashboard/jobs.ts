import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { jobKinds } from "../common/job-kinds.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const states = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
const outcomes = ["done", "skipped", "failed"] as const;

export const job = z
  .object({
    id: text("Id of the job.", "job_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    kind: text(
      "Kind of work: `client.remove`, `incident.bulk`, `message.bulk`, `report.generate`, `suppression.remove`, `watched_domain.bulk`, `watched_domain.import` or `webhook.replay`; later versions may add kinds.",
      "message.bulk",
    ),
    state: text(
      "`queued`; `running`; `succeeded`: each item has a result, even if the result is a failure; `failed`: the job could not continue; `cancelled`.",
      "running",
    ),
    about: z.record(z.string(), z.string()).meta({
      description: "Parameters of the job, by name.",
      examples: [{ action: "cancel", filter: "tag=spring" }],
    }),
    total: count("Number of items. Missing until they are counted.", 20_000).optional(),
    done: count("Number of items that are done.", 12_400),
    skipped: count(
      "Number of items that needed nothing, or for which the action was no longer possible.",
      100,
    ),
    failed: count("Number of items that failed.", 0),
    started_by_kind: text(
      "Kind of the actor that started the job: `user`, `operator` or another actor kind of the audit log.",
      "user",
    ),
    started_by_id: text("Id of the actor.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    started_by_name: text("Name of the actor at that time.", "ada@example.com"),
    created_at: moment("Time when the job was created."),
    started_at: moment("Time when the job first ran. Missing until the job starts.").optional(),
    finished_at: moment("Time when the job ended. Missing before that.").optional(),
    cancel_requested_at: moment("Time when cancellation was requested. Missing if it was not.").optional(),
    expire_at: moment(
      "Time when the job and its results are removed. Missing until the job ends.",
    ).optional(),
    failure_code: text("Error code of the failure; empty if the job has not failed.", ""),
    failure_message: text("Failure as a sentence; empty if the job has not failed.", ""),
  })
  .meta({ id: "Job", description: "Long-running work of the account, in the background." });

export const jobResult = z
  .object({
    item: text("Item of the job, for example the id of a message.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    outcome: text("`done`, `skipped` or `failed`.", "skipped"),
    code: text("Reason why the item was skipped or failed; empty if it was done.", "message.not_cancellable"),
    message: text("Reason as a sentence; may be empty."),
  })
  .meta({ id: "JobResult", description: "Result of one item of a job." });

const pathParams = z.object({ job_id: z.string().meta({ description: "Id of the job." }) });

export const jobs = c.router({
  listJobs: {
    method: "GET",
    path: "/api/jobs",
    summary: "List jobs",
    description: "Lists jobs, newest first. A job is kept for 30 days after its end.",
    query: pageQuery.extend({
      state: z.enum(states).optional().meta({ description: "Only jobs in this state." }),
      kind: z.enum(jobKinds).optional().meta({ description: "Only jobs of this kind." }),
    }),
    ...reading({
      access: "jobs.read",
      faults: ["request.validation_failed"],
      success: { 200: page("JobList", job) },
    }),
  },
  getJob: {
    method: "GET",
    path: "/api/jobs/:job_id",
    pathParams,
    summary: "Get a job",
    description: "Returns a job with its progress. The counts grow with each step of about 100 items.",
    ...reading({ access: "jobs.read", faults: ["job.unknown"], success: { 200: job } }),
  },
  listJobResults: {
    method: "GET",
    path: "/api/jobs/:job_id/results",
    pathParams,
    summary: "List the results of a job",
    description:
      "Lists the results of the items, in the order of their completion. A running job adds results later.",
    query: pageQuery.extend({
      outcome: z.enum(outcomes).optional().meta({ description: "Only results with this outcome." }),
    }),
    ...reading({
      access: "jobs.read",
      faults: ["job.unknown", "request.validation_failed"],
      success: { 200: page("JobResultList", jobResult) },
    }),
  },
  cancelJob: {
    method: "POST",
    path: "/api/jobs/:job_id/cancel",
    pathParams,
    summary: "Cancel a job",
    description:
      "Cancels a job. Also needs the permission that starting the job needs. Finished items stay as they are, and the others are not processed. A running job ends after its current step, within seconds. A job that is already cancelled gets the same response.",
    body: c.noBody(),
    ...changing({ access: "jobs.write", faults: ["job.unknown", "job.ended"], success: { 200: job } }),
  },
});
