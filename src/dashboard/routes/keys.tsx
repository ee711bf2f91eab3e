import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { keysQuery } from "../api/keys.ts";
import { insideRoute } from "./inside.tsx";

export const keysRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/keys",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(keysQuery()),
  component: lazyRouteComponent(() => import("../pages/keys/list.tsx"), "KeyListPage"),
});
