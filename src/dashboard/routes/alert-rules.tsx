import { createRoute } from "@tanstack/react-router";
import { ruleQuery, rulesQuery } from "../api/rules.ts";
import { inhibitionsQuery } from "../api/silences.ts";
import { readRuleSearch } from "../pages/alert-rules/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { readVersionSearch, type VersionSearch } from "../parts/version-search.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const rulesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alert-rules",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(rulesQuery),
  component: lazyPage(() => import("../pages/alert-rules/list.tsx"), "RuleListPage"),
});

interface NewRuleSearch {
  /** Name of the rule to copy. */
  readonly from?: string;
  /** Id of an alert that the rule is for. */
  readonly alert?: string;
  /** Id of an alert target that the rule notifies. */
  readonly target?: string;
}

export const newRuleRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alert-rules/-/new",
  validateSearch: (search: Record<string, unknown>): NewRuleSearch =>
    readTexts(search, ["from", "alert", "target"]),
  component: lazyPage(() => import("../pages/alert-rules/create.tsx"), "NewRulePage"),
});

export const ruleRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/alert-rules/$name",
  validateSearch: readRuleSearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(ruleQuery(params.name)),
  component: lazyPage(() => import("../pages/alert-rules/detail.tsx"), "RulePage"),
});

export const inhibitionsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inhibitions",
  loader: ({ context }) => void context.queryClient.prefetchQuery(inhibitionsQuery),
  component: lazyPage(() => import("../pages/inhibitions/list.tsx"), "InhibitionListPage"),
});

export const newInhibitionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inhibitions/-/new",
  component: lazyPage(() => import("../pages/inhibitions/create.tsx"), "NewInhibitionPage"),
});

interface InhibitionSearch extends VersionSearch {
  /** Missing: the settings. */
  readonly tab?: "versions";
}

export const inhibitionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/inhibitions/$name",
  validateSearch: (search: Record<string, unknown>): InhibitionSearch => ({
    ...(search.tab === "versions" && { tab: "versions" }),
    ...readVersionSearch(search),
  }),
  loader: ({ context }) => void context.queryClient.prefetchQuery(inhibitionsQuery),
  component: lazyPage(() => import("../pages/inhibitions/detail.tsx"), "InhibitionPage"),
});
