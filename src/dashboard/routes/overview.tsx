import { createRoute } from "@tanstack/react-router";
import { countersQuery, type Dimension, dimensions, type Period, periods } from "../api/counters.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

interface OverviewSearch {
  /** Missing: the last 24 hours. */
  readonly period?: Period | undefined;
  /** Missing: by provider. */
  readonly by?: Dimension | undefined;
}

export const overviewRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/",
  validateSearch: ({ period, by }: Record<string, unknown>): OverviewSearch => {
    const dimension = dimensions.find((one) => one === by && one !== "provider");
    return {
      ...(typeof period === "string" &&
        period in periods &&
        period !== "24h" && { period: period as Period }),
      ...(dimension && { by: dimension }),
    };
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { period = "24h" } }) =>
    void context.queryClient.prefetchQuery(countersQuery({ period })),
  component: lazyPage(() => import("../pages/overview/overview.tsx"), "OverviewPage"),
});
