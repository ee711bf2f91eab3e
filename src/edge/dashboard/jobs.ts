import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { jobs as contract, job, jobResult } from "../../../contracts/dashboard/jobs.ts";
import { JobResultSchema, JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";

type Job = z.output<typeof job>;
type JobResult = z.output<typeof jobResult>;

/** Handlers of the routes of `dashboard.jobs`. */
export function jobs(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listJobs: async ({ request, query }) => {
      const { state, kind } = query;
      const asked = { ...pageRequest(query), ...withoutUndefined({ state, kind }) };
      const found = await coreFor(request).jobs.listJobs(asked);
      const data = found.jobs.map((one) => bodyOf<Job>(JobSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getJob: async ({ request, params }) => {
      const found = await coreFor(request).jobs.getJob({ id: params.job_id });
      return { status: 200, body: bodyOf<Job>(JobSchema, found.job) };
    },
    listJobResults: async ({ request, params, query }) => {
      const { outcome } = query;
      const asked = { id: params.job_id, ...pageRequest(query), ...withoutUndefined({ outcome }) };
      const found = await coreFor(request).jobs.listResults(asked);
      const data = found.results.map((one) => bodyOf<JobResult>(JobResultSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    cancelJob: async ({ request, params }) => {
      const cancelled = await coreFor(request).jobs.cancelJob({ id: params.job_id });
      return { status: 200, body: bodyOf<Job>(JobSchema, cancelled.job) };
    },
  };
}
