import { createRoute } from "@tanstack/react-router";
import { type DomainFilter, domainQuery, domainsBy } from "../api/domains.ts";
import { readChoices, readTexts } from "../parts/read-texts.ts";
import { t } from "../texts/texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";
import { rootRoute } from "./root.tsx";

export const domainsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/domains",
  validateSearch: (search: Record<string, unknown>) =>
    ({
      ...readTexts(search, ["search"]),
      ...readChoices(search, { status: t.domains.statuses }),
    }) as DomainFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(domainsBy(deps)),
  component: lazyPage(() => import("../pages/domains/list.tsx"), "DomainListPage"),
});

export const domainRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/domains/$domain",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(domainQuery(params.domain)),
  component: lazyPage(() => import("../pages/domains/detail.tsx"), "DomainPage"),
});

/** Page for a person without a session. The token of the link is after `#`. */
export const sharedRecordsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/dns-records",
  component: lazyPage(() => import("../pages/domains/shared-records.tsx"), "SharedRecordsPage"),
});
