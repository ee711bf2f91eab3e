import { createRoute } from "@tanstack/react-router";
import { keyQuery, keysQuery } from "../api/keys.ts";
import { readTexts } from "../parts/read-texts.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const keysRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/keys",
  validateSearch: (search: Record<string, unknown>) => readTexts(search, ["query", "state", "kind"]),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(keysQuery(deps)),
  component: lazyPage(() => import("../pages/keys/list.tsx"), "KeyListPage"),
});

export const keyRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/keys/$keyId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(keyQuery(params.keyId)),
  component: lazyPage(() => import("../pages/keys/detail.tsx"), "KeyPage"),
});
