import { createRoute } from "@tanstack/react-router";
import { scheduleChoicesQuery, scheduleQuery } from "../api/oncalls.ts";
import { readOnCallSearch } from "../pages/on-call/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

interface OnCallListSearch {
  /** Part of the name or of an address of a participant. */
  readonly search?: string;
}

export const onCallsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/on-call",
  validateSearch: (search: Record<string, unknown>): OnCallListSearch => readTexts(search, ["search"]),
  loader: ({ context }) => void context.queryClient.prefetchQuery(scheduleChoicesQuery),
  component: lazyPage(() => import("../pages/on-call/list.tsx"), "OnCallListPage"),
});

export const newOnCallRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/on-call/-/new",
  component: lazyPage(() => import("../pages/on-call/create.tsx"), "NewOnCallPage"),
});

export const onCallRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/on-call/$name",
  validateSearch: readOnCallSearch,
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(scheduleQuery(params.name)),
  component: lazyPage(() => import("../pages/on-call/detail.tsx"), "OnCallPage"),
});
