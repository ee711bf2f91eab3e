import { createRoute } from "@tanstack/react-router";
import {
  type HeartbeatFilter,
  heartbeatFilterNames,
  heartbeatQuery,
  heartbeatsBy,
} from "../api/heartbeats.ts";
import { readHeartbeatSearch } from "../pages/heartbeats/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const heartbeatsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/heartbeats",
  validateSearch: (search: Record<string, unknown>): HeartbeatFilter =>
    readTexts(search, heartbeatFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(heartbeatsBy(deps)),
  component: lazyPage(() => import("../pages/heartbeats/list.tsx"), "HeartbeatListPage"),
});

export const newHeartbeatRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/heartbeats/new",
  component: lazyPage(() => import("../pages/heartbeats/create.tsx"), "NewHeartbeatPage"),
});

export const heartbeatRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/heartbeats/$heartbeatId",
  validateSearch: readHeartbeatSearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(heartbeatQuery(params.heartbeatId)),
  component: lazyPage(() => import("../pages/heartbeats/detail.tsx"), "HeartbeatPage"),
});
