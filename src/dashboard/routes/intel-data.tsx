import { createRoute } from "@tanstack/react-router";
import {
  dmarcFilterNames,
  dmarcSourcesQuery,
  type ListingFilter,
  listingFilterNames,
} from "../api/insights.ts";
import { labelQuery, labelsQuery } from "../api/labels.ts";
import { reportFilterNames, reportQuery, reportsBy } from "../api/reports.ts";
import { schedulesQuery } from "../api/schedules.ts";
import { type BlacklistTab, blacklistTabs } from "../pages/blacklists/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const watchImportRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/import",
  /** `job`: shows the progress of this import. */
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["workspace_id", "job"]),
  component: lazyPage(() => import("../pages/watch-import/import.tsx"), "WatchImportPage"),
});

export const dmarcSourcesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/dmarc",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, dmarcFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(dmarcSourcesQuery(deps)),
  component: lazyPage(() => import("../pages/dmarc/sources.tsx"), "DmarcSourcesPage"),
});

export const reportsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/reports",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, reportFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(reportsBy(deps)),
  component: lazyPage(() => import("../pages/intel-reports/list.tsx"), "ReportListPage"),
});

export const reportRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/reports/$reportId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(reportQuery(params.reportId)),
  component: lazyPage(() => import("../pages/intel-reports/detail.tsx"), "ReportPage"),
});

interface BlacklistSearch extends ListingFilter {
  /** Missing: the entries of now. */
  readonly tab?: BlacklistTab | undefined;
}

export const blacklistsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/blacklists",
  validateSearch: ({ tab, ...search }: Record<string, unknown>): BlacklistSearch => {
    const known = blacklistTabs.find((name) => name === tab && name !== "now");
    return { ...readTexts(search, listingFilterNames), ...(known && { tab: known }) };
  },
  component: lazyPage(() => import("../pages/blacklists/blacklists.tsx"), "BlacklistPage"),
});

export const schedulesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/schedules",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["workspace_id"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    void context.queryClient.prefetchInfiniteQuery(schedulesQuery(deps.workspace_id)),
  component: lazyPage(() => import("../pages/report-schedules/list.tsx"), "ScheduleListPage"),
});

export const labelsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/labels",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["workspace_id"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    void context.queryClient.prefetchInfiniteQuery(labelsQuery(deps.workspace_id)),
  component: lazyPage(() => import("../pages/labels/list.tsx"), "LabelListPage"),
});

export const labelRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/labels/$labelId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(labelQuery(params.labelId)),
  component: lazyPage(() => import("../pages/labels/detail.tsx"), "LabelPage"),
});
