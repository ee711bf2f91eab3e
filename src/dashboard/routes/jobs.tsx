import { createRoute } from "@tanstack/react-router";
import { jobQuery, jobsQuery } from "../api/jobs.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const jobsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(jobsQuery),
  component: lazyPage(() => import("../pages/jobs/list.tsx"), "JobListPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs/$jobId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(jobQuery(params.jobId)),
  component: lazyPage(() => import("../pages/jobs/detail.tsx"), "JobPage"),
});
