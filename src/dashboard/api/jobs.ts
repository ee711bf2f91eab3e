import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import { type job, type jobResult, jobs } from "../../../contracts/dashboard/jobs.ts";
import { call, clientOf } from "./client.ts";
import { pollMs } from "./live.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(jobs);

export type Job = z.output<typeof job>;
export type JobResult = z.output<typeof jobResult>;
export type JobOutcome = "done" | "skipped" | "failed";

const POLL_MS = 1_000;
const SLOW_POLL_MS = 15_000;

export const isOpen = ({ state }: Pick<Job, "state">) => state === "queued" || state === "running";

/** Filters of the list, as in the address. */
export interface JobFilter {
  readonly state?: Job["state"] | undefined;
  readonly kind?: JobKindName | undefined;
}

/** Long-running work of the account that matches a filter, newest first. */
export const jobsBy = (filter: JobFilter) =>
  listQuery(["jobs", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listJobs({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** A job. It is polled until it ends. After a failure, polling stops until the user or a new connection retries. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["jobs", "one", id],
    queryFn: ({ signal }) => call(() => client.getJob({ params: { job_id: id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Job>((data) => (data && isOpen(data) ? pollMs(SLOW_POLL_MS, POLL_MS) : false)),
  });

/** Results of the items of a job. */
export const jobResultsQuery = (id: string, outcome?: JobOutcome) =>
  listQuery(["jobs", "results", id, outcome], 50, ({ query, fetchOptions }) =>
    call(() =>
      client.listJobResults({
        params: { job_id: id },
        query: { ...query, ...(outcome && { outcome }) },
        fetchOptions,
      }),
    ),
  );

export const cancelJob = (job_id: string) => call(() => client.cancelJob({ params: { job_id } }));
