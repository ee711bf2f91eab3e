import { createRoute } from "@tanstack/react-router";
import { startQuery } from "../api/start.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/start",
  loader: ({ context }) => void context.queryClient.prefetchQuery(startQuery),
  component: lazyPage(() => import("../pages/start/start.tsx"), "StartPage"),
});
