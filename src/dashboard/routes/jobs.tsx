import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { jobQuery, jobsQuery } from "../api/jobs.ts";
import { insideRoute } from "./inside.tsx";

export const jobsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(jobsQuery),
  component: lazyRouteComponent(() => import("../pages/jobs/list.tsx"), "JobListPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs/$jobId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(jobQuery(params.jobId)),
  component: lazyRouteComponent(() => import("../pages/jobs/detail.tsx"), "JobPage"),
});
