import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const states = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
const outcomes = ["done", "skipped", "failed"] as const;

export const job = z
  .object({
    id: text("Names the job.", "job_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    kind: text("What it does.", "message.bulk"),
    state: text(
      "`queued`; `running`; `succeeded`: each item has its result, whatever that is; `failed`: it could not go on; `cancelled`.",
      "running",
    ),
    about: z.record(z.string(), z.string()).meta({
      description: "What it was asked for, by name.",
      examples: [{ action: "cancel", filter: "tag=spring" }],
    }),
    total: count("Its items; missing: they are not counted yet.", 20_000).optional(),
    done: count("Items that it has done.", 12_400),
    skipped: count("Items that needed nothing, or could not have it any more.", 100),
    failed: count("Items that have failed.", 0),
    started_by_kind: text("Who began it: `user`, `operator` or another actor of the audit log.", "user"),
    started_by_id: text("The id of that one.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    started_by_name: text("The name of that one, as it was then.", "ada@example.com"),
    created_at: moment("When it was begun."),
    started_at: moment("When it had its first turn; missing: it waits for that.").optional(),
    finished_at: moment("When it ended; missing: it has not.").optional(),
    cancel_requested_at: moment("When somebody asked for its end; missing: nobody has.").optional(),
    expire_at: moment("When it is removed, with its results; missing: it has not ended.").optional(),
    failure_code: text("Why it has failed; empty: it has not.", ""),
    failure_message: text("The same as a sentence; empty: it has not.", ""),
  })
  .meta({ id: "Job", description: "Long work of the account, which goes on in the background." });

export const jobResult = z
  .object({
    item: text("What the job is about, as the id of a message.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    outcome: text("`done`, `skipped` or `failed`.", "skipped"),
    code: text("Why it was skipped or failed; empty: it was done.", "message.not_cancellable"),
    message: text("The same as a sentence; empty: there is nothing to say."),
  })
  .meta({ id: "JobResult", description: "What became of one item of a job." });

const pathParams = z.object({ job_id: z.string().meta({ description: "The job's id." }) });

export const jobs = c.router({
  listJobs: {
    method: "GET",
    path: "/api/jobs",
    summary: "List jobs",
    description: "Newest first. A job is kept for 30 days after its end.",
    query: pageQuery.extend({
      state: z.enum(states).optional().meta({ description: "Only jobs in this state." }),
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
    summary: "See a job",
    description: "How far it is. Its counts grow with each step, of some 100 items.",
    ...reading({ access: "jobs.read", faults: ["job.unknown"], success: { 200: job } }),
  },
  listJobResults: {
    method: "GET",
    path: "/api/jobs/:job_id/results",
    pathParams,
    summary: "See what became of each item of a job",
    description: "In the order in which they were done. A job that goes on has more later.",
    query: pageQuery.extend({
      outcome: z.enum(outcomes).optional().meta({ description: "Only results of this outcome." }),
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
      "Takes the permission that beginning it took, too. What was done stays, the rest is left; a job under way ends with the step that it is at, some seconds later. One that is cancelled already is answered in the same way.",
    body: c.noBody(),
    ...changing({ access: "jobs.write", faults: ["job.unknown", "job.ended"], success: { 200: job } }),
  },
});
