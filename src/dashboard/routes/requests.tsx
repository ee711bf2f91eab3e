import { createRoute } from "@tanstack/react-router";
import { type RequestFilter, type RequestPeriod, readRequestPeriod, requestsQuery } from "../api/requests.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

interface RequestSearch extends RequestFilter {
  /** Time span of the plot. */
  readonly period?: RequestPeriod | undefined;
}

export const requestsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/requests",
  validateSearch: (search: Record<string, unknown>): RequestSearch => {
    const period = readRequestPeriod(search.period);
    return {
      ...readTexts(search, ["key_id", "status", "route", "trace_id", "from", "until"]),
      ...(period !== undefined && period !== "24h" && { period }),
    };
  },
  loaderDeps: ({ search: { period: _, ...filter } }) => filter,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(requestsQuery(deps)),
  component: lazyPage(() => import("../pages/requests/list.tsx"), "RequestListPage"),
});
