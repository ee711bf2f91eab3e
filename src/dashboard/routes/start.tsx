import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { startQuery } from "../api/start.ts";
import { insideRoute } from "./inside.tsx";

export const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/start",
  loader: ({ context }) => void context.queryClient.prefetchQuery(startQuery),
  component: lazyRouteComponent(() => import("../pages/start/start.tsx"), "StartPage"),
});
