import { Option } from "commander";
import { jobKinds } from "../../contracts/common/job-kinds.ts";
import { type Job, JobResultSchema, JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { describeJob, progressOf } from "./output/describe-job.ts";
import { paintState } from "./output/paint.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { showCommand } from "./show-command.ts";
import { hasFailed, watchJob } from "./watch-job.ts";

/** `hermod job` */
export const jobs = commandGroup("job", "Long-running work in the background.", () => [
  jobList,
  jobShow,
  jobResults,
  jobWatch,
  jobCancel,
]);

const JOB = ["<id>", "id of the job (job_…)"] as const;
const STATES = ["queued", "running", "succeeded", "failed", "cancelled"];

/** `hermod job list`: newest first. */
const jobList = listCommand({
  description: "List the jobs of an account, newest first.",
  options: [
    new Option("--state <state>", "only jobs in this state").choices(STATES),
    new Option("--kind <kind>", "only jobs of this kind").choices(jobKinds),
  ],
  limit: 50,
  call: ({ core, account, page }, { state = "", kind = "" }: { state?: string; kind?: string }) =>
    core.jobs.listJobs({ accountId: account, state, kind, ...page }),
  of: "jobs",
  schema: JobSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["STATE", ({ state }, paint) => paintState(paint, state)],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
    ["KIND", ({ kind }) => printable(kind)],
    ["ABOUT", (job) => shortened(aboutOf(job), 50)],
    ["PROGRESS", progressOf],
  ],
  none: "There are no jobs.",
});

/** `hermod job show` */
const jobShow = showCommand({
  name: "show",
  description: "Show a job and its progress.",
  arguments: [JOB],
  call: ({ core, account, args: [id = ""] }) => core.jobs.getJob({ accountId: account, id }),
  of: "job",
  schema: JobSchema,
  text: (job, { paint }) => describeJob(paint, job),
});

/** `hermod job results`: the result of each item. */
const jobResults = listCommand({
  name: "results",
  description: "List the results of the items of a job, in processing order.",
  arguments: [JOB],
  options: [
    new Option("--outcome <outcome>", "only items with this outcome").choices(["done", "skipped", "failed"]),
  ],
  limit: 50,
  call: ({ core, account, args: [id = ""], page }, { outcome = "" }: { outcome?: string }) =>
    core.jobs.listResults({ accountId: account, id, outcome, ...page }),
  of: "results",
  schema: JobResultSchema,
  columns: [
    ["ITEM", ({ item }) => printable(item)],
    ["OUTCOME", ({ outcome }) => outcome],
    ["CODE", ({ code }) => printable(code) || "-"],
    ["MESSAGE", ({ message }) => shortened(printable(message), 80) || "-"],
  ],
  none: "There are no results.",
});

/** `hermod job watch`: runs until the job has ended. */
const jobWatch = showCommand({
  name: "watch",
  description: "Show the progress of a job until it has ended. Exit code 1: it failed or was cancelled.",
  arguments: [JOB],
  call: async (context) => ({ job: await watchJob(context, context.args[0] ?? "") }),
  of: "job",
  schema: JobSchema,
  text: (job, { paint }) => describeJob(paint, job),
  isFailure: hasFailed,
});

/** `hermod job cancel`: processed items stay processed. */
const jobCancel = showCommand({
  name: "cancel",
  description: "Cancel a job. Processed items stay processed; the others are not processed.",
  arguments: [JOB],
  call: ({ core, account, args: [id = ""] }) => core.jobs.cancelJob({ accountId: account, id }),
  of: "job",
  schema: JobSchema,
  text: (job) => {
    const ends = job.state === "cancelled" ? "is cancelled" : "ends after its present step";
    return `The job ${job.id} ${ends}: ${progressOf(job)}.`;
  },
});

function aboutOf({ about }: Job): string {
  return Object.entries(about)
    .map(([name, value]) => printable(`${name}: ${value}`))
    .join(", ");
}
