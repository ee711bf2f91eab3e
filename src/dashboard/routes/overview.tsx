import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { countersQuery, type Period, periods } from "../api/counters.ts";
import { insideRoute } from "./inside.tsx";

export const overviewRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  validateSearch: ({ period }: Record<string, unknown>): { readonly period?: Period } =>
    typeof period === "string" && period in periods && period !== "24h" ? { period: period as Period } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { period = "24h" } }) =>
    void context.queryClient.prefetchQuery(countersQuery({ period })),
  component: lazyRouteComponent(() => import("../pages/overview/overview.tsx"), "OverviewPage"),
});
