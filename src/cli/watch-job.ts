import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../../gen/hermod/job/v1/job_service_pb.ts";
import type { CommandContext } from "./core-command.ts";
import { createProgress } from "./output/progress.ts";
import { required } from "./show-command.ts";

/** Interval between reads of the progress of a job. */
const POLL_MS = 500;

/**
 * Waits for the end of a job, and shows its progress until then.
 * @throws Fault of the core
 */
export async function watchJob(
  { core, account, isJson, environment }: CommandContext,
  id: string,
): Promise<Job> {
  const progress = createProgress(environment.err, isJson);
  for (;;) {
    const job = required((await core.jobs.getJob({ accountId: account, id })).job, "job");
    progress.show(job.done + job.skipped + job.failed, job.total ?? 0);
    if (job.finishedAt) {
      progress.end();
      return job;
    }
    await sleep(POLL_MS);
  }
}

/** Whether a job has ended without a result for each of its items. Failed items are results. */
export const hasFailed = ({ state }: Pick<Job, "state">) => state === "failed" || state === "cancelled";
