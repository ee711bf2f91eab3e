import { createRoute } from "@tanstack/react-router";
import { accountQuery, retentionQuery } from "../api/accounts.ts";
import { type AuditFilter, auditFilters, auditQuery } from "../api/audits.ts";
import { erasureQuery } from "../api/erasures.ts";
import { installationQuery } from "../api/installation.ts";
import { membersQuery, rolesQuery } from "../api/members.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const membersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/members",
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(membersQuery);
    void queryClient.prefetchQuery(rolesQuery);
  },
  component: lazyPage(() => import("../pages/account/members.tsx"), "MembersPage"),
});

export const rolesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/roles",
  loader: ({ context }) => void context.queryClient.prefetchQuery(rolesQuery),
  component: lazyPage(() => import("../pages/account/roles.tsx"), "RolesPage"),
});

export const securityRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/security",
  loader: ({ context }) => void context.queryClient.prefetchQuery(accountQuery),
  component: lazyPage(() => import("../pages/account/security.tsx"), "SecurityPage"),
});

interface AuditSearch extends AuditFilter {
  /** Id of the open entry. */
  readonly entry?: string | undefined;
}

export const auditRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/audit",
  validateSearch: (search: Record<string, unknown>): AuditSearch =>
    readTexts(search, [...auditFilters, "entry"]),
  loaderDeps: ({ search: { entry: _, ...filter } }) => filter,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(auditQuery(deps)),
  component: lazyPage(() => import("../pages/account/audit.tsx"), "AuditPage"),
});

export const retentionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/retention",
  loader: ({ context }) => void context.queryClient.prefetchQuery(retentionQuery),
  component: lazyPage(() => import("../pages/account/retention.tsx"), "RetentionPage"),
});

export const erasureRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/erasures/$erasureId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(erasureQuery(params.erasureId)),
  component: lazyPage(() => import("../pages/account/erasure.tsx"), "ErasurePage"),
});

export const limitsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/account/limits",
  loader: ({ context }) => void context.queryClient.prefetchQuery(installationQuery),
  component: lazyPage(() => import("../pages/account/limits.tsx"), "LimitsPage"),
});
