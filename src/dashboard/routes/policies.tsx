import { createRoute } from "@tanstack/react-router";
import { policiesQuery, policyQuery } from "../api/policies.ts";
import { readPolicySearch } from "../pages/policies/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const policiesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/policies",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(policiesQuery),
  component: lazyPage(() => import("../pages/policies/list.tsx"), "PolicyListPage"),
});

interface NewPolicySearch {
  /** Name of the policy to copy. */
  readonly from?: string;
  readonly tab?: "try";
}

export const newPolicyRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/policies/-/new",
  validateSearch: (search: Record<string, unknown>): NewPolicySearch => ({
    ...readTexts(search, ["from"]),
    ...(search.tab === "try" && { tab: "try" as const }),
  }),
  component: lazyPage(() => import("../pages/policies/create.tsx"), "NewPolicyPage"),
});

export const policyRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/policies/$name",
  validateSearch: readPolicySearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(policyQuery(params.name)),
  component: lazyPage(() => import("../pages/policies/detail.tsx"), "PolicyPage"),
});
