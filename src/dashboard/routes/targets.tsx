import { createRoute } from "@tanstack/react-router";
import { targetQuery, targetsQuery } from "../api/targets.ts";
import { readTargetFilter, readTargetSearch } from "../pages/targets/search.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const targetsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/targets",
  validateSearch: readTargetFilter,
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(targetsQuery),
  component: lazyPage(() => import("../pages/targets/list.tsx"), "TargetListPage"),
});

export const newTargetRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/targets/new",
  component: lazyPage(() => import("../pages/targets/create.tsx"), "NewTargetPage"),
});

export const targetRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/targets/$targetId",
  validateSearch: readTargetSearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(targetQuery(params.targetId)),
  component: lazyPage(() => import("../pages/targets/detail.tsx"), "TargetPage"),
});
