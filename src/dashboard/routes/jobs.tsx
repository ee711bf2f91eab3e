import { createRoute } from "@tanstack/react-router";
import { type JobFilter, jobQuery, jobsBy } from "../api/jobs.ts";
import { readChoices } from "../parts/read-texts.ts";
import { t } from "../texts/texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const jobsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs",
  validateSearch: (search: Record<string, unknown>) =>
    readChoices(search, { state: t.jobs.states, kind: t.jobs.kinds }) as JobFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(jobsBy(deps)),
  component: lazyPage(() => import("../pages/jobs/list.tsx"), "JobListPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/jobs/$jobId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(jobQuery(params.jobId)),
  component: lazyPage(() => import("../pages/jobs/detail.tsx"), "JobPage"),
});
