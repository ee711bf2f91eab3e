import { createRoute } from "@tanstack/react-router";
import { type CheckFilter, checkFilterNames, checksQuery } from "../api/checks.ts";
import { type WatchFilter, watchesBy, watchFilterNames, watchQuery } from "../api/watches.ts";
import { readWatchSearch } from "../pages/watches/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const watchesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/domains",
  validateSearch: (search: Record<string, unknown>): WatchFilter => readTexts(search, watchFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(watchesBy(deps)),
  component: lazyPage(() => import("../pages/watches/list.tsx"), "WatchListPage"),
});

export const watchRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/domains/$domainId",
  validateSearch: readWatchSearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(watchQuery(params.domainId)),
  component: lazyPage(() => import("../pages/watches/detail.tsx"), "WatchPage"),
});

export const checksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/checks",
  validateSearch: (search: Record<string, unknown>): CheckFilter => readTexts(search, checkFilterNames),
  loader: ({ context }) => void context.queryClient.prefetchQuery(checksQuery),
  component: lazyPage(() => import("../pages/checks/catalogue.tsx"), "CataloguePage"),
});
