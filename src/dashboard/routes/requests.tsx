import { createRoute } from "@tanstack/react-router";
import { requestsQuery } from "../api/requests.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const requestsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/requests",
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, ["key_id", "status", "route", "trace_id", "from", "until"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(requestsQuery(deps)),
  component: lazyPage(() => import("../pages/requests/list.tsx"), "RequestListPage"),
});
