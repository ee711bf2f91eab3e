import { type Command, Option } from "commander";
import type { Job, JobResult } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { LIMIT_MAX, readLimit } from "./input/read-options.ts";
import { describeJob, jobJson, progressOf } from "./output/describe-job.ts";
import { paintState } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";
import { watchJob } from "./watch-job.ts";

/** `hermod job` */
export function jobs(program: Command, surroundings: Surroundings): void {
  const group = program.command("job").description("Long work that goes on in the background.");
  jobList(group, surroundings);
  jobShow(group, surroundings);
  jobResults(group, surroundings);
  jobWatch(group, surroundings);
  jobCancel(group, surroundings);
}

interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const heading = ["ID", "STATE", "CREATED", "KIND", "ABOUT", "PROGRESS"];

/** `hermod job list`: newest first. */
function jobList(parent: Command, surroundings: Surroundings): void {
  const states = ["queued", "running", "succeeded", "failed", "cancelled"];
  const command = withPage(parent.command("list"))
    .description("List the jobs of an account, newest first.")
    .addOption(new Option("--state <state>", "only jobs in this state").choices(states));
  coreCommand<PageOptions & { state?: string }>(surroundings, command, async (context, options) => {
    const { core, account, paint } = context;
    const { limit, cursor = "", state = "" } = options;
    const asked = { accountId: account, state, pageSize: limit, pageToken: cursor };
    const found = await core.jobs.listJobs(asked);
    const rows = found.jobs.map((job) => [
      job.id,
      paintState(paint, job.state),
      plainTime(job.createdAt),
      printable(job.kind),
      shortened(aboutOf(job), 50),
      progressOf(job),
    ]);
    return {
      json: listJson(found.jobs.map(jobJson), found.nextPageToken),
      text: () => table(paint, heading, rows, "There are no jobs."),
      ...(found.nextPageToken !== "" && { note: `There are more: --cursor ${found.nextPageToken}` }),
    };
  });
}

/** `hermod job show` */
function jobShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<id>", "a job id (job_…)")
    .description("Show what a job is about, and how far it is.");
  coreCommand(surroundings, command, async ({ core, account, paint, args: [id = ""] }) => {
    const job = jobIn(await core.jobs.getJob({ accountId: account, id }));
    return { json: jobJson(job), text: () => describeJob(paint, job) };
  });
}

const resultHeading = ["ITEM", "OUTCOME", "CODE", "MESSAGE"];

/** `hermod job results`: what became of each item. */
function jobResults(parent: Command, surroundings: Surroundings): void {
  const outcomes = ["done", "skipped", "failed"];
  const command = withPage(parent.command("results"))
    .argument("<id>", "a job id (job_…)")
    .description("List what became of the items of a job, in the order in which they were done.")
    .addOption(new Option("--outcome <outcome>", "only these").choices(outcomes));
  coreCommand<PageOptions & { outcome?: string }>(surroundings, command, async (context, options) => {
    const { core, account, paint, args } = context;
    const { limit, cursor = "", outcome = "" } = options;
    const asked = { accountId: account, id: args[0] ?? "", outcome, pageSize: limit, pageToken: cursor };
    const found = await core.jobs.listResults(asked);
    const rows = found.results.map((result) => [
      printable(result.item),
      result.outcome,
      printable(result.code) || "-",
      shortened(printable(result.message), 80) || "-",
    ]);
    return {
      json: listJson(found.results.map(resultJson), found.nextPageToken),
      text: () => table(paint, resultHeading, rows, "There are no results."),
      ...(found.nextPageToken !== "" && { note: `There are more: --cursor ${found.nextPageToken}` }),
    };
  });
}

/** `hermod job watch`: until it has ended. */
function jobWatch(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("watch")
    .argument("<id>", "a job id (job_…)")
    .description("Show how far a job is, until it has ended.");
  coreCommand(surroundings, command, async (context) => {
    const job = await watchJob(context, context.args[0] ?? "", surroundings.err);
    return { json: jobJson(job), text: () => describeJob(context.paint, job) };
  });
}

/** `hermod job cancel`: what was done stays. */
function jobCancel(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("cancel")
    .argument("<id>", "a job id (job_…)")
    .description("End a job before its time: what was done stays, the rest is left.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const job = jobIn(await core.jobs.cancelJob({ accountId: account, id }));
    const ends = job.state === "cancelled" ? "is cancelled" : "ends with the step that it is at";
    return { json: jobJson(job), text: () => `The job ${job.id} ${ends}: ${progressOf(job)}.` };
  });
}

function withPage(command: Command): Command {
  return command
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");
}

function jobIn({ job }: { readonly job?: Job | undefined }): Job {
  if (job) return job;
  throw fault("internal.error", { internal: "the core answered without the job" });
}

function aboutOf({ about }: Job): string {
  return Object.entries(about)
    .map(([name, value]) => printable(`${name}: ${value}`))
    .join(", ");
}

function resultJson({ item, outcome, code, message }: JobResult) {
  return { item, outcome, code: code || null, message: message || null };
}
