import { type Job, JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import type { AddCommand, CommandContext, CommandUsage } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import { describeJob } from "./output/describe-job.ts";
import { required, showCommand } from "./show-command.ts";
import { hasFailed, watchJob } from "./watch-job.ts";

interface Answers {
  readonly yes?: boolean;
  readonly detach?: boolean;
}

interface Counted {
  /** The number of items, and some of them, as text. */
  readonly described: string;
  /** Starts the job for the counted items. */
  readonly begin: () => Promise<{ readonly job?: Job | undefined }>;
}

interface ConfirmedJob<Options> extends CommandUsage {
  /** Counts without changing anything. */
  readonly count: (context: CommandContext, options: Options) => Promise<Counted>;
}

/** A command that shows the number of selected items, asks, starts a job, and shows its progress. */
export function confirmedJobCommand<Options>({ count, ...usage }: ConfirmedJob<Options>): AddCommand {
  return showCommand({
    ...usage,
    options: [
      ...(usage.options ?? []),
      ["--yes", "do not ask"],
      ["--detach", "do not wait for the end of the job"],
    ],
    call: async (context, options: Options & Answers) => {
      const { isJson, environment } = context;
      const { described, begin } = await count(context, options);
      if (!options.yes) {
        if (!isJson) environment.err.write(`${described}\n`);
        await confirm(environment, "Continue?");
      }
      const job = required((await begin()).job, "job");
      return { job: options.detach ? job : await watchJob(context, job.id) };
    },
    of: "job",
    schema: JobSchema,
    text: (job, { paint }) => describeJob(paint, job),
    note: ({ id }) => `Results of the items: hermod job results ${id}`,
    isFailure: hasFailed,
  });
}
