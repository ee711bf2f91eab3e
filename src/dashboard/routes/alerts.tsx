import { createRoute } from "@tanstack/react-router";
import {
  type AlertFilter,
  type AlertPeriod,
  alertFilterNames,
  alertPeriods,
  alertQuery,
  alertsBy,
  type IncidentFilter,
  incidentFilterNames,
  incidentQuery,
  incidentsBy,
} from "../api/incidents.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const incidentsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/incidents",
  validateSearch: (search: Record<string, unknown>): IncidentFilter => readTexts(search, incidentFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(incidentsBy(deps)),
  component: lazyPage(() => import("../pages/incidents/list.tsx"), "IncidentListPage"),
});

export const incidentRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/incidents/$incidentId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(incidentQuery(params.incidentId)),
  component: lazyPage(() => import("../pages/incidents/detail.tsx"), "IncidentPage"),
});

interface AlertSearch extends AlertFilter {
  /** Time span of the plot; missing: a day. */
  readonly period?: AlertPeriod | undefined;
}

export const alertsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alerts",
  validateSearch: ({ period, ...search }: Record<string, unknown>): AlertSearch => {
    const isKnown = typeof period === "string" && Object.hasOwn(alertPeriods, period) && period !== "24h";
    return { ...readTexts(search, alertFilterNames), ...(isKnown && { period: period as AlertPeriod }) };
  },
  loaderDeps: ({ search: { period: _, ...filter } }) => filter,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(alertsBy(deps)),
  component: lazyPage(() => import("../pages/alerts/list.tsx"), "AlertListPage"),
});

export const alertRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alerts/$alertId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(alertQuery(params.alertId)),
  component: lazyPage(() => import("../pages/alerts/detail.tsx"), "AlertPage"),
});

export const alertSetupRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alerts/set-up",
  component: lazyPage(() => import("../pages/alert-setup/overview.tsx"), "AlertSetupPage"),
});

interface AlertSourceSearch {
  /** Id of the key of the source. */
  readonly key?: string;
}

export const alertSourceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alerts/set-up/$source",
  validateSearch: (search: Record<string, unknown>): AlertSourceSearch => readTexts(search, ["key"]),
  component: lazyPage(() => import("../pages/alert-setup/source.tsx"), "AlertSourcePage"),
});
