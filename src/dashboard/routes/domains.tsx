import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainQuery, domainsQuery } from "../api/domains.ts";
import { insideRoute } from "./inside.tsx";

export const domainsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/domains",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(domainsQuery),
  component: lazyRouteComponent(() => import("../pages/domains/list.tsx"), "DomainListPage"),
});

export const domainRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/domains/$domain",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(domainQuery(params.domain)),
  component: lazyRouteComponent(() => import("../pages/domains/detail.tsx"), "DomainPage"),
});
