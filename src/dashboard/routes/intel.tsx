import { createRoute } from "@tanstack/react-router";
import { type InsightScope, mutesBy } from "../api/insights.ts";
import { type WatchChangeFilter, watchChangeFilterNames, watchChangesBy } from "../api/watches.ts";
import {
  type ClientFilter,
  clientFilterNames,
  clientsBy,
  pickedClientQuery,
  workspacesQuery,
} from "../api/workspaces.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const workspacesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/workspaces",
  loader: ({ context }) => void context.queryClient.prefetchQuery(workspacesQuery),
  component: lazyPage(() => import("../pages/workspaces/list.tsx"), "WorkspaceListPage"),
});

export const workspaceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/workspaces/$workspaceId",
  /** `check`: its repair is open. */
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["check"]),
  loader: ({ context }) => void context.queryClient.prefetchQuery(workspacesQuery),
  component: lazyPage(() => import("../pages/workspaces/detail.tsx"), "WorkspacePage"),
});

export const clientsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/clients",
  validateSearch: (search: Record<string, unknown>): ClientFilter => readTexts(search, clientFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(clientsBy(deps)),
  component: lazyPage(() => import("../pages/clients/list.tsx"), "ClientListPage"),
});

export const clientRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/clients/$clientId",
  /** `check`: its repair is open. */
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["check"]),
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(pickedClientQuery(params.clientId)),
  component: lazyPage(() => import("../pages/clients/detail.tsx"), "ClientPage"),
});

export const watchChangesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/changes",
  validateSearch: (search: Record<string, unknown>): WatchChangeFilter =>
    readTexts(search, watchChangeFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(watchChangesBy(deps)),
  component: lazyPage(() => import("../pages/watch-changes/list.tsx"), "ChangeListPage"),
});

export const mutesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/intel/mutes",
  validateSearch: (search: Record<string, unknown>): InsightScope =>
    readTexts(search, ["workspace_id", "client_id", "domain_id"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(mutesBy(deps)),
  component: lazyPage(() => import("../pages/mutes/list.tsx"), "MuteListPage"),
});
